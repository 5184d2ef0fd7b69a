/** The durable note before an action that must not happen twice, as a status field. */
import { type Intent, type Schema, Type } from "#kinds";

export const intent: Schema<Intent> = Type.object(
  "The action that was decided last and must not happen twice; written before it is sent.",
  {
    action: Type.string("What was decided, for example Reset/ForceOff."),
    targetUID: Type.string("UID of the object the action is for; for any other object this intent means nothing."),
    nonce: Type.string("Fresh for every decision; an action is sent at most once per nonce."),
    issued: Type.time("When the action was decided."),
    deadline: Type.time("After this time an action without visible effect counts as failed."),
    fingerprint: Type.map(
      "What the hardware looked like before: boot count, task, version.",
      Type.string("A value as the hardware reported it."),
    ),
    outcome: Type.optional(Type.string("How it ended; absent while that is not known.")),
    finished: Type.optional(Type.time("When it was seen to have ended.")),
  },
);
