#!/usr/bin/env node
/** The `metalwright` command: flags and wiring, no logic. Each command's module is loaded only when it runs. */
import { Command } from "commander";
import { addAuditCommand } from "./audit.ts";
import { addFleetCommand } from "./fleet.ts";

const program = new Command("metalwright")
  .description("Looks after physical servers through their management controllers, as Kubernetes objects.")
  .version("0.1.0");

program
  .command("up")
  .description("start what one machine needs")
  .action(() => {
    console.log(
      "Metalwright has nothing to start yet: the embedded control plane comes next. `npm test` shows what is there.",
    );
  });

program
  .command("apiserver")
  .description("run the embedded Kubernetes API")
  .requiredOption("--data <dir>", "where everything is kept; created when missing")
  .option("--port <number>", "port to listen on", "6443")
  .option("--host <address>", "address to listen on", "127.0.0.1")
  .action(async (flags) => (await import("./apiserver.ts")).runApiServer(flags));

addAuditCommand(program);
addFleetCommand(program);

await program.parseAsync();
