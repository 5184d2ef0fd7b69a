/** Takes secrets out of failures: firmware quotes rejected values, and a failure ends up in logs, events and status. */
import type { Failure, Outcome } from "./outcome.ts";

/** Shorter ones occur in ordinary words; taking them out would say more than leaving them in. */
const SHORTEST_SECRET = 3;

/** The outcome as it is, or its failure with every secret replaced. */
export function withoutSecrets<T>(outcome: Outcome<T>, secrets: readonly string[]): Outcome<T> {
  if (outcome.ok) return outcome;
  const hidden = secrets.flatMap(spellings).filter((secret) => secret.length >= SHORTEST_SECRET);
  return { ok: false, failure: redactFailure(outcome.failure, hidden) };
}

/** As it is, as JSON quotes it, as an address encodes it, and as basic auth does. */
function spellings(secret: string): readonly string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), secret.replace(/^Basic /, "")];
}

function redactFailure(failure: Failure, secrets: readonly string[]): Failure {
  const clean = (text: string): string => secrets.reduce((said, secret) => said.replaceAll(secret, "[redacted]"), text);
  return {
    ...failure,
    message: clean(failure.message),
    ...(failure.extended === undefined
      ? {}
      : {
          extended: failure.extended.map((entry) => ({
            ...entry,
            message: clean(entry.message),
            args: entry.args.map(clean),
            ...(entry.resolution === undefined ? {} : { resolution: clean(entry.resolution) }),
          })),
        }),
  };
}
