import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";

const root = join(import.meta.dirname, "../..");
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGTERM");
});

function command(...args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, ["scripts/run-ts.mjs", "src/cli/main.ts", "fleet", ...args], { cwd: root });
  children.push(child);
  return child;
}

/** What the command says, up to the line that holds `last`, or to its end. */
async function said(child: ChildProcess, last?: string): Promise<string> {
  let text = "";
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (last !== undefined && text.includes(last)) break;
  }
  return text;
}

describe("metalwright fleet", () => {
  it("prints where it is, answers status and manifests, and ends on SIGTERM", { timeout: 60_000 }, async () => {
    const fleet = command(
      "--servers",
      "12",
      "--seed",
      "7",
      "--profile",
      "mixed",
      "--port",
      "0",
      "--token",
      "secret-token",
    );
    const greeting = await said(fleet, "token");
    expect(greeting).toMatch(/BMCs, the first at http:\/\/127\.1\.0\.1:\d+\/redfish\/v1/);
    expect(greeting).toMatch(/credentials: \S+ \/ \S+/);
    const [, control = ""] = /control: (\S+)/.exec(greeting) ?? [];
    const [status, manifests] = await Promise.all([
      said(command("status", "--control", control, "--token", "secret-token", "--racks", "1")),
      said(command("manifests", "--control", control, "--token", "secret-token", "--access", "endpoint")),
    ]);
    expect(status).toContain("rack-1");
    const kinds = parseAllDocuments(manifests).map((document) => (document.toJS() as { kind: string }).kind);
    expect(new Set(kinds)).toEqual(new Set(["BMCSecret", "Endpoint", "BMC"]));
    fleet.kill("SIGTERM");
    const [code] = await once(fleet, "exit");
    expect(code).toBe(0);
  });
});
