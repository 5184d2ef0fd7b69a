/** `metalwright fleet`: starts a simulated data centre in the foreground. The fleet itself is loaded when the command runs. */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { Fleet, FleetOptions } from "#fleet";
import { announceReady } from "./ready.ts";
import { stopRequested } from "./stop.ts";

const ANSWER_DEADLINE_MS = 10_000;

interface Flags {
  readonly servers: string;
  readonly seed: string;
  readonly profile: string;
  readonly port: string;
  readonly addressing?: "ip" | "port";
  readonly tls?: boolean;
  readonly latency: string;
  readonly speed: string;
  readonly bootUrl?: string;
  readonly registryUrl?: string;
  readonly password?: string;
  readonly token?: string;
  readonly faults?: string;
  readonly powered?: boolean;
}

/** Adds the command and its own below it. */
export function addFleetCommand(program: Command): void {
  // Both levels: otherwise `fleet status --token` would be read as a flag of `fleet`.
  program.enablePositionalOptions();
  const fleet = program
    .command("fleet")
    .enablePositionalOptions()
    .description("simulate a data centre: BMCs that speak Redfish, and the machines behind them")
    .option("--servers <n>", "how many machines", "40")
    .option("--seed <n>", "the same seed gives the same fleet", "1")
    .option("--profile <name>", "a vendor profile, or mixed", "mixed")
    .option("--port <n>", "port of the BMCs and of the control API; 0 takes a free one", "8000")
    .option("--addressing <how>", "ip: an address of 127.0.0.0/8 each; port: a port of 127.0.0.1 each")
    .option("--tls", "HTTPS with a certificate per BMC")
    .option("--latency <ms>", "milliseconds per answer, or realistic", "0")
    .option("--speed <factor>", "how many times faster than real machines", "1")
    .option("--boot-url <url>", "the boot service that booting machines ask")
    .option("--registry-url <url>", "where booted systems report when their Ignition does not say")
    .option("--password <text>", "password of every BMC; drawn from the seed by default")
    .option("--token <text>", "token of the control API")
    .option("--faults <file>", "fault script, YAML or JSON")
    .option("--powered", "machines are running at the start")
    .action(runFleet);
  fleet
    .command("status")
    .description("show a running fleet, rack by rack")
    .requiredOption("--control <url>", "the control address that `metalwright fleet` printed")
    .requiredOption("--token <text>", "the token that `metalwright fleet` printed")
    .option("--racks <range>", 'only these, such as "3" or "1-4"')
    .action(({ racks }: { readonly racks?: string }, command: Command) =>
      print("status", command, racks === undefined ? "" : `?racks=${encodeURIComponent(racks)}`),
    );
  fleet
    .command("manifests")
    .description("print BMC and BMCSecret manifests for a running fleet, ready for kubectl apply")
    .requiredOption("--control <url>", "the control address that `metalwright fleet` printed")
    .requiredOption("--token <text>", "the token that `metalwright fleet` printed")
    .option("--access <how>", "inline, or endpoint for an Endpoint object per BMC", "inline")
    .action(({ access }: { readonly access: string }, command: Command) =>
      print("manifests", command, `?access=${encodeURIComponent(access)}`),
    );
}

async function print(what: string, command: Command, query: string): Promise<void> {
  const { control, token } = command.optsWithGlobals<{ readonly control: string; readonly token: string }>();
  const text = await askFleet(control, token, what + query);
  if (what !== "manifests") return void process.stdout.write(text);
  const { stringify } = await import("yaml");
  const documents = (JSON.parse(text) as readonly unknown[]).map((object) => stringify(object));
  process.stdout.write(documents.join("---\n"));
}

/** What a running fleet says about itself through its control API. */
export async function askFleet(control: string, token: string, what: string): Promise<string> {
  const { request } = await import("undici");
  const answer = await request(`${control}/${what}`, {
    headers: { authorization: `Bearer ${token}` },
    headersTimeout: ANSWER_DEADLINE_MS,
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${control}/${what} answered ${answer.statusCode}: ${text.trim()}`);
  return text;
}

async function runFleet(flags: Flags): Promise<void> {
  const { startFleet } = await import("#fleet");
  const fleet = await startFleet(await optionsOf(flags));
  if (!announceReady({ control: fleet.control.url })) introduce(fleet);
  await stopRequested();
  await fleet.close();
}

function introduce({ bmcs, control }: Fleet): void {
  const [first] = bmcs;
  const names = [...new Set(bmcs.map(({ username }) => username))].join(", ");
  console.log(`${bmcs.length} BMCs, the first at ${first?.address}/redfish/v1`);
  console.log(`credentials: ${first?.username} / ${first?.password} (user names of the profiles: ${names})`);
  console.log(`control: ${control.url} with the token ${control.token}`);
}

async function optionsOf(flags: Flags): Promise<FleetOptions> {
  const script = flags.faults === undefined ? undefined : await readScript(flags.faults);
  const boot = flags.bootUrl === undefined ? undefined : bootOf(flags.bootUrl, flags.registryUrl);
  return {
    servers: Number(flags.servers),
    seed: Number(flags.seed),
    profile: flags.profile as NonNullable<FleetOptions["profile"]>,
    port: Number(flags.port),
    latency: flags.latency === "realistic" ? "realistic" : Number(flags.latency),
    speed: Number(flags.speed),
    tls: flags.tls === true,
    powered: flags.powered ? "On" : "Off",
    ...(flags.addressing ? { addressing: flags.addressing } : {}),
    ...(flags.password === undefined ? {} : { password: flags.password }),
    ...(flags.token === undefined ? {} : { token: flags.token }),
    ...(boot ? { boot } : {}),
    ...(script ? { script } : {}),
  };
}

function bootOf(url: string, registryUrl: string | undefined): NonNullable<FleetOptions["boot"]> {
  return registryUrl === undefined ? { url } : { url, registryUrl };
}

async function readScript(file: string): Promise<NonNullable<FleetOptions["script"]>> {
  const [{ parse }, { parseScript }] = await Promise.all([import("yaml"), import("#fleet")]);
  return parseScript(parse(await readFile(file, "utf8")));
}
