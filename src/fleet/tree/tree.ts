/** All resources a BMC can have; each answers "nothing here" where its profile lacks it. */
import { Router } from "../http/router.ts";
import { accountResources } from "./accounts.ts";
import { biosResources } from "./bios.ts";
import { certificateResources } from "./certificates.ts";
import { chassisResources } from "./chassis.ts";
import { componentResources } from "./components.ts";
import { eventResources } from "./events.ts";
import { logResources } from "./logs.ts";
import { managerAttributeResources } from "./manager-attributes.ts";
import { managerResources } from "./managers.ts";
import { registryResources } from "./registries.ts";
import { rootResources } from "./root.ts";
import { sessionResources } from "./sessions.ts";
import { storageResources } from "./storage.ts";
import { settingsResources } from "./system-settings.ts";
import { systemResources } from "./systems.ts";
import { taskResources } from "./tasks.ts";
import { updateResources } from "./update.ts";
import { virtualMediaResources } from "./virtual-media.ts";

export const redfishTree = new Router([
  ...rootResources,
  ...systemResources,
  ...settingsResources,
  ...componentResources,
  ...storageResources,
  ...biosResources,
  ...chassisResources,
  ...managerResources,
  ...managerAttributeResources,
  ...virtualMediaResources,
  ...logResources,
  ...accountResources,
  ...sessionResources,
  ...taskResources,
  ...eventResources,
  ...updateResources,
  ...registryResources,
  ...certificateResources,
]);
