/** One firmware update: which component, which version, and when it takes effect. */
import type { Bmc } from "../bmc/bmc.ts";
import type { Task, Work } from "../bmc/tasks.ts";
import { type Place, uri } from "../http/place.ts";
import type { Reply } from "../http/reply.ts";
import { taskReply } from "./tasks.ts";
import { inventoryOf } from "./update.ts";

export interface UpdateRequest {
  /** Address or file name of the image; component and version are read from it. */
  readonly image: string;
  readonly targets: readonly string[];
}

/** Starts the update as a task, in the shape this vendor answers with. */
export function startUpdate(at: Place, request: UpdateRequest): Reply {
  const component = componentOf(at, request);
  const version = versionIn(request.image);
  const work: Work = {
    name: `Firmware update of ${component}`,
    stepMs: at.bmc.world.timing.taskStepMs,
    fate: () => fateOf(at.bmc, request.image),
    done: () => install(at, component, version),
  };
  if (!at.profile.update.handsToJob) return taskReply(at, at.bmc.tasks.start({ ...work, ...idFor(at) }));
  const job = at.bmc.tasks.start({ ...work, id: `job-${at.bmc.tasks.list().length + 1}` });
  return taskReply(at, handOver(at, job));
}

function idFor(at: Place): { readonly id?: string } {
  if (at.profile.update.taskIds !== "jid") return {};
  return { id: `JID_${String(100_000_000_000 + at.bmc.draw("jid", at.bmc.tasks.list().length)).slice(0, 12)}` };
}

function handOver(at: Place, job: Task): Task {
  const args = [uri(at, "JobService", "Jobs", job.id)];
  return at.bmc.tasks.finished(job.name, [
    { id: "Update.1.0.OperationTransitionedToJob", text: `The update goes on as the job ${args[0]}.`, args },
  ]);
}

function fateOf(bmc: Bmc, image: string): "go" | "stick" | "fail-at-99" {
  if (bmc.fault("task-stuck")) return "stick";
  return bmc.fault("task-fails") || image.includes("fail") ? "fail-at-99" : "go";
}

/** BIOS images wait for the next start of each machine; a new BMC image restarts the BMC. */
function install(at: Place, component: "BIOS" | "BMC", version: string): void {
  const { bmc } = at;
  if (component === "BIOS") {
    for (const host of bmc.hosts) host.stagedBios = { version, done: () => undefined };
    return;
  }
  bmc.firmwareVersion = version;
  bmc.reboot();
}

function componentOf(at: Place, { image, targets }: UpdateRequest): "BIOS" | "BMC" {
  const targeted = inventoryOf(at).find(({ id }) =>
    targets.some((target) => target.replace(/\/$/, "").endsWith(`/${id}`)),
  );
  if (targeted && targeted.component !== "other") return targeted.component;
  if (targets.some((target) => target.includes("/Managers/"))) return "BMC";
  return /bmc|idrac|ilo|xcc|manager/i.test(image) ? "BMC" : "BIOS";
}

/** "bios-2.20.1.bin" is version 2.20.1; an image without a number in its name is its own version. */
function versionIn(image: string): string {
  const name = image.split("/").at(-1) ?? image;
  return /\d+(?:\.\d+)+/.exec(name)?.[0] ?? image;
}
