/** Carries out one call: its deadline, its attempts, and the one error it ends with. */
import { type Clock, type Random, seconds } from "#clock";
import { NotSent, type Priority, type Transport, type TransportResponse } from "../transport/transport.ts";
import { decodeAnswer, refusal, warningsIn } from "./answer.ts";
import type { CallOptions, WarningHandler } from "./client.ts";
import { Deadline } from "./deadline.ts";
import { DeadlineExceeded, OutcomeUnknown } from "./errors.ts";
import { delayBefore, isRepeatable, type Repeatability, type Verdict, verdictOn } from "./retry-policy.ts";

const DEFAULT_TIMEOUT_MS = seconds(30);
const MAX_SPARE = 64;

export interface Call {
  /** For messages: "get Server a". */
  readonly attempt: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly repeatability: Repeatability;
  readonly priority: Priority;
  readonly options: CallOptions;
  /** A refusal that, after a lost answer, proves that what was asked for is so. */
  readonly settledBy?: (error: unknown) => boolean;
  /** How a success is read; as JSON unless said otherwise. */
  readonly decode?: (attempt: string, response: TransportResponse) => Promise<unknown>;
}

export interface CallerOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly userAgent: string;
  readonly onWarning: WarningHandler | undefined;
}

/** A stream under way. The caller's signal ends it until `close`, which whoever reads it must call. */
export interface OpenStream {
  chunks(): AsyncIterable<Uint8Array>;
  close(): void;
}

interface Progress {
  readonly call: Call;
  readonly deadline: Deadline;
  /** How many attempts failed. */
  tries: number;
  /** Whether the attempt under way has left. */
  sent: boolean;
  /** Set once an attempt may have happened without our knowing. */
  lost: boolean;
  /** The last failure that was not the end of time. */
  lastFailure: unknown;
}

export class Caller {
  readonly #transport: Transport;
  readonly #options: CallerOptions;
  /**
   * Controllers of calls that were answered, for the next ones: making them is a fifth of a request's cost on Node 20.
   * A transport may use a request's signal only until its answer is complete.
   */
  readonly #spare: AbortController[] = [];

  constructor(transport: Transport, options: CallerOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  /** For calls of several requests: how much of the time for all of them is left. */
  countdown(timeoutMs = DEFAULT_TIMEOUT_MS): () => number {
    const { clock } = this.#options;
    const endsAt = clock.monotonic() + timeoutMs;
    return () => Math.max(0, endsAt - clock.monotonic());
  }

  /** The decoded answer. Rejects as `Client` promises. */
  async run(call: Call): Promise<unknown> {
    const { timeoutMs = DEFAULT_TIMEOUT_MS, signal } = call.options;
    const controller = this.#spare.pop() ?? new AbortController();
    const deadline = new Deadline(this.#options.clock, timeoutMs, signal, controller);
    const progress: Progress = { call, deadline, tries: 0, sent: false, lost: false, lastFailure: undefined };
    try {
      for (;;) {
        try {
          return await this.#attempt(progress);
        } catch (error) {
          if (progress.lost && call.settledBy?.(error)) return undefined;
          await this.#beforeNext(progress, error);
        }
      }
    } finally {
      deadline.dispose();
      const isClean = progress.tries === 0 && !controller.signal.aborted;
      if (isClean && this.#spare.length < MAX_SPARE) this.#spare.push(controller);
    }
  }

  /** Waits until the call may be attempted again; throws its outcome when it may not. */
  async #beforeNext(progress: Progress, error: unknown): Promise<void> {
    const { call, deadline } = progress;
    const { clock, random } = this.#options;
    const verdict = verdictOn(error, progress.sent);
    progress.lost ||= verdict === "lost";
    const delayMs = delayBefore(progress.tries++, error, random.next());
    const isLast = deadline.signal.aborted || delayMs >= deadline.remainingMs;
    if (isLast || !isRepeatable(error, verdict, call.repeatability)) throw outcome(progress, error, verdict);
    progress.lastFailure = error;
    await clock.sleep(delayMs, deadline.signal).catch((reason: unknown) => {
      throw outcome(progress, reason, "not sent");
    });
  }

  /** Opens a stream: one attempt, whose head must come within the deadline; the body may take for ever. */
  async open(call: Call): Promise<OpenStream> {
    const timeoutMs = call.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const deadline = new Deadline(this.#options.clock, timeoutMs, call.options.signal);
    try {
      const response = await this.#send(call, deadline.signal);
      if (response.status >= 300) throw refusal(call.attempt, response, await response.text());
      deadline.lift();
      return { chunks: () => response.chunks(), close: () => deadline.dispose() };
    } catch (error) {
      deadline.dispose();
      if (deadline.passed) throw new DeadlineExceeded(call.attempt, timeoutMs);
      throw error;
    }
  }

  async #attempt(progress: Progress): Promise<unknown> {
    const { call, deadline } = progress;
    progress.sent = false;
    deadline.signal.throwIfAborted();
    const response = await this.#send(call, deadline.signal, () => {
      progress.sent = true;
    });
    return (call.decode ?? decodeAnswer)(call.attempt, response);
  }

  async #send(call: Call, signal: AbortSignal, beforeSend?: () => void): Promise<TransportResponse> {
    const { method, path, body, priority } = call;
    const headers = this.#headersOf(call);
    const streaming = beforeSend === undefined;
    const request = { method, path, headers, signal, priority, streaming, beforeSend: beforeSend ?? noMark };
    const response = await this.#transport.request(body === undefined ? request : { ...request, body });
    this.#passOnWarnings(response);
    return response;
  }

  #headersOf({ accept = "application/json", body, contentType = "application/json" }: Call): Record<string, string> {
    const { userAgent } = this.#options;
    if (body === undefined) return { accept, "user-agent": userAgent };
    return { accept, "user-agent": userAgent, "content-type": contentType };
  }

  #passOnWarnings({ headers }: TransportResponse): void {
    const { onWarning } = this.#options;
    if (!onWarning || headers.warning === undefined) return;
    for (const warning of warningsIn(headers.warning)) onWarning(warning);
  }
}

/** Streams are opened once: nobody asks whether they were sent. */
function noMark(): void {}

/** The error the whole call ends with. */
function outcome({ call, deadline, lost, lastFailure }: Progress, error: unknown, verdict: Verdict): unknown {
  const timeoutMs = call.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const timedOut = deadline.passed && error === deadline.signal.reason;
  const cause = timedOut ? new DeadlineExceeded(call.attempt, timeoutMs, lastFailure) : error;
  if (call.repeatability === "read") return cause;
  if (lost) return new OutcomeUnknown(call.attempt, cause);
  if (timedOut && verdict === "not sent")
    return new NotSent(`${call.attempt}: not sent within ${timeoutMs} ms`, { cause: lastFailure ?? cause });
  return cause;
}
