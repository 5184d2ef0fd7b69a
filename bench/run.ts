/**
 * `npm run bench`: every benchmark, one after the other; `npm run bench -- NAME…` only those whose name contains a word.
 * With `--strict` a missed target is a failure.
 */
import { apiServer } from "./apiserver.ts";
import { fleet } from "./fleet.ts";
import { hardware } from "./hardware.ts";
import { importTime } from "./import-time.ts";
import { informer } from "./informer.ts";
import { kubeClient } from "./kube-client.ts";
import { queue } from "./queue.ts";
import { redfish } from "./redfish.ts";
import { type Bench, measure } from "./report.ts";

// biome-ignore format: one line each, so that adding one is one line
const benches: readonly Bench[] = [
  importTime,
  kubeClient,
  informer,
  queue,
  apiServer,
  fleet,
  hardware,
  redfish,
];

const args = process.argv.slice(2);
const strict = args.includes("--strict");
const words = args.filter((arg) => !arg.startsWith("--"));
const chosen = benches.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
if (chosen.length === 0) {
  console.error(`no benchmark is called like that; there are: ${benches.map(({ name }) => name).join(", ")}`);
  process.exit(2);
}
let missed = 0;
for (const bench of chosen) {
  const { targets } = await measure(bench, (line) => console.log(line));
  missed += targets.filter(({ met }) => !met).length;
}
console.log(missed === 0 ? "\nall targets met" : `\n${missed} target${missed === 1 ? "" : "s"} missed`);
process.exit(strict && missed > 0 ? 1 : 0);
