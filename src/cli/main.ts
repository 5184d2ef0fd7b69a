#!/usr/bin/env node
/** The `metalwright` command: one file per command, which loads the rooms it needs only when it runs. */
import { Command } from "commander";
import { addApiServerCommand } from "./apiserver.ts";
import { addAuditCommand } from "./audit.ts";
import { addFleetCommand } from "./fleet.ts";
import { addUpCommand } from "./up.ts";

const program = new Command("metalwright")
  .description("Looks after physical servers through their management controllers, as Kubernetes objects.")
  .version("0.1.0")
  .showHelpAfterError("(add --help for what is possible)");

addUpCommand(program);
addApiServerCommand(program);
addAuditCommand(program);
addFleetCommand(program);

await program.parseAsync();
