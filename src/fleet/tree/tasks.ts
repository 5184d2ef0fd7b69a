/** TaskService and JobService: what runs, how far it is, and where to ask again. */
import type { Task } from "../bmc/tasks.ts";
import { messageOf } from "../http/messages.ts";
import { collection, head, type Place, type Resource, ref, uri } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import type { JsonObject } from "../json.ts";

const isJobId = (id: string): boolean => id.startsWith("job-");
const tasksOf = ({ bmc }: Place): readonly Task[] => bmc.tasks.list().filter(({ id }) => !isJobId(id));
const jobsOf = ({ bmc }: Place): readonly Task[] => bmc.tasks.list().filter(({ id }) => isJobId(id));

export const taskResources: readonly Resource[] = [
  { path: "/TaskService", read: taskServiceBody },
  collection("/TaskService/Tasks", { type: "TaskCollection", name: "Task Collection" }, (at) =>
    tasksOf(at).map(({ id }) => id),
  ),
  { path: "/TaskService/Tasks/{task}", read: taskBody, remove: removeTask },
  { path: "/TaskService/TaskMonitors/{task}", read: monitorBody, remove: removeTask },
  { path: "/JobService", read: jobServiceBody },
  collection("/JobService/Jobs", { type: "JobCollection", name: "Job Collection" }, (at) =>
    at.profile.update.handsToJob ? jobsOf(at).map(({ id }) => id) : undefined,
  ),
  { path: "/JobService/Jobs/{job}", read: jobBody },
];

/** The answer to a request that became a task, with the task where this vendor puts it. */
export function taskReply(at: Place, task: Task): Reply {
  const { locates, taskIn } = at.profile.update;
  const body = taskShape({ ...at, path: `/redfish/v1/TaskService/Tasks/${task.id}` }, task);
  if (taskIn === "body") return { status: 202, body };
  const location = uri(at, "TaskService", locates === "task" ? "Tasks" : "TaskMonitors", task.id);
  return { status: 202, body, headers: { location } };
}

function taskServiceBody(at: Place): JsonObject {
  return {
    ...head(at, "TaskService", "TaskService", "Task Service"),
    ServiceEnabled: true,
    DateTime: at.bmc.world.clock.now().toISOString(),
    CompletedTaskOverWritePolicy: "Oldest",
    LifeCycleEventOnTaskStateChange: true,
    Tasks: ref(at, "TaskService", "Tasks"),
    Status: { State: "Enabled", Health: "OK" },
  };
}

function taskAt(at: Place): Task | undefined {
  const id = at.params.task ?? "";
  return isJobId(id) ? undefined : at.bmc.tasks.get(id);
}

function taskBody(at: Place): JsonObject | undefined {
  const task = taskAt(at);
  return task && taskShape(at, task);
}

/** A monitor answers like the task, except where firmware ends it with an error-shaped success. */
function monitorBody(at: Place): JsonObject | undefined {
  const task = taskAt(at);
  if (!task) return undefined;
  if (!task.ended || !at.profile.update.monitorEndsAsError)
    return taskShape({ ...at, path: `/redfish/v1/TaskService/Tasks/${task.id}` }, task);
  const key = task.state === "Completed" ? "Success" : "InternalError";
  const message = messageOf({ key }, at.profile.messages);
  return {
    error: {
      code: "iLO.0.10.ExtendedInfo",
      message: "See @Message.ExtendedInfo for more information.",
      "@Message.ExtendedInfo": [message],
    },
  };
}

function taskShape(at: Place, task: Task): JsonObject {
  return {
    ...head(at, "Task", task.id, task.name),
    TaskState: task.state,
    TaskStatus: task.state === "Exception" ? "Critical" : "OK",
    PercentComplete: task.percent,
    StartTime: task.started.toISOString(),
    EndTime: task.ended?.toISOString(),
    TaskMonitor: uri(at, "TaskService", "TaskMonitors", task.id),
    Messages: task.messages.map(({ id, text, args }) => ({
      "@odata.type": "#Message.v1_1_2.Message",
      MessageId: id,
      Message: text,
      MessageArgs: args ? [...args] : [],
      Severity: task.state === "Exception" ? "Critical" : "OK",
    })),
  };
}

function removeTask(at: Place): Reply {
  return taskAt(at) && at.bmc.tasks.remove(at.params.task ?? "")
    ? noContent
    : refuse(404, "ResourceMissingAtURI", at.path);
}

function jobServiceBody(at: Place): JsonObject | undefined {
  if (!at.profile.update.handsToJob) return undefined;
  return {
    ...head(at, "JobService", "JobService", "Job Service"),
    ServiceEnabled: true,
    Jobs: ref(at, "JobService", "Jobs"),
    Status: { State: "Enabled", Health: "OK" },
  };
}

const jobStates: Readonly<Record<string, string>> = {
  Exception: "Exception",
  Completed: "Completed",
  Cancelled: "Cancelled",
  New: "New",
};

function jobBody(at: Place): JsonObject | undefined {
  const id = at.params.job ?? "";
  const job = isJobId(id) && at.profile.update.handsToJob ? at.bmc.tasks.get(id) : undefined;
  if (!job) return undefined;
  return {
    ...head(at, "Job", job.id, job.name),
    JobState: jobStates[job.state] ?? "Running",
    JobStatus: job.state === "Exception" ? "Critical" : "OK",
    PercentComplete: job.percent,
    StartTime: job.started.toISOString(),
    EndTime: job.ended?.toISOString(),
    Messages: [],
  };
}
