/** What the annotation `metal.ironcore.dev/operation` may ask for. An object carries one at a time. */

export const Operation = {
  /** Reconciling is skipped, deletion is not; stays until a person removes it. */
  Ignore: "ignore",
  IgnoreChild: "ignore-child",
  IgnoreChildAndSelf: "ignore-child-and-self",
  /** Written on children by a set. */
  IgnorePropagated: "ignore-propagated",
  /** Failed becomes Pending again. */
  Retry: "retry",
  RetryChild: "retry-child",
  RetryChildAndSelf: "retry-child-and-self",
  /** Written on children by a set. */
  RetryPropagated: "retry-propagated",
  AllowInProgressUpdate: "allow-in-progress-update",
  AllowInProgressDelete: "allow-in-progress-delete",
  RotateCredentials: "rotate-credentials",
  Park: "park",
  Unpark: "unpark",
  GracefulRestartServer: "graceful-restart-server",
  HardRestartServer: "hard-restart-server",
  PowerCycleServer: "power-cycle-server",
  ForceOffServer: "force-off-server",
  ForceOnServer: "force-on-server",
  GracefulRestartBMC: "graceful-restart-bmc",
  ForceSSHResetBMC: "force-ssh-reset-bmc",
} as const;
export type Operation = (typeof Operation)[keyof typeof Operation];
