/** Reads a log of `strace -f -y` and answers one question: did an answer leave before its write was on the disk? */

export interface SystemCall {
  readonly name: string;
  /** What its first argument, a file descriptor, stands for. */
  readonly target: string;
  readonly descriptor: string;
  readonly text: string;
  readonly result: number;
  /** Positions in the log: when it was entered, and when it came back. */
  readonly entered: number;
  readonly returned: number;
}

/** What to trace: everything that reads or writes a socket or the data file, and what opens and syncs it. */
export const TRACED =
  "trace=openat,read,readv,recvfrom,recvmsg,write,writev,sendto,sendmsg,pwrite64,pwritev,fdatasync,fsync,msync";

const LINE = /^(\d+) +(?:<\.\.\. )?(\w+)(?:\(| resumed>)(.*)$/;
const UNFINISHED = "<unfinished ...>";

/** Puts calls that were interrupted by another thread's back together. */
export function parseSystemCalls(log: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, { text: string; entered: number }>();
  for (const [at, line] of log.split("\n").entries()) {
    const [, thread = "", name = "", rest = ""] = LINE.exec(line) ?? [];
    if (rest.endsWith(UNFINISHED)) {
      open.set(thread, { text: rest.slice(0, -UNFINISHED.length).trimEnd(), entered: at });
      continue;
    }
    const begun = line.includes(" resumed>") ? open.get(thread) : undefined;
    const text = (begun?.text ?? "") + rest;
    const [, descriptor = "", target = ""] = /^(\d+)<(.*?)>(?=[,)])/.exec(text) ?? [];
    const result = Number(/= (-?\d+)[^=]*$/.exec(text)?.[1] ?? -1);
    calls.push({ name, target, descriptor, text, result, entered: begun?.entered ?? at, returned: at });
  }
  return calls;
}

export interface Acknowledgement {
  readonly socket: string;
  readonly request: SystemCall;
  readonly answer: SystemCall;
  /** The full sequence happened in between: pages written, pages synced, then the page that makes them count synced. */
  readonly durable: boolean;
}

/** Every answer on a socket that follows a request on it, with the verdict whether its write was durable by then. */
export function acknowledgements(calls: readonly SystemCall[], dataFile: string): Acknowledgement[] {
  const onData = calls.filter((call) => call.target.endsWith(dataFile));
  const synchronous = descriptorsOpenedSynchronously(calls, dataFile);
  const requests = new Map<string, SystemCall>();
  const found: Acknowledgement[] = [];
  for (const call of calls) {
    if (!call.target.startsWith("socket:") || call.result <= 0) continue;
    if (call.name.startsWith("re")) requests.set(call.target, call);
    const request = requests.get(call.target);
    if (!request || call.name.startsWith("re")) continue;
    requests.delete(call.target);
    const between = onData.filter((c) => c.entered > request.returned && c.returned < call.entered);
    found.push({ socket: call.target, request, answer: call, durable: isDurable(between, synchronous) });
  }
  return found;
}

/** LMDB writes its meta page through a descriptor of its own that syncs by itself. */
function descriptorsOpenedSynchronously(calls: readonly SystemCall[], dataFile: string): ReadonlySet<string> {
  const opened = calls.filter(
    ({ name, text }) => name === "openat" && text.includes(dataFile) && /O_D?SYNC/.test(text),
  );
  return new Set(opened.map(({ result }) => String(result)));
}

function isDurable(calls: readonly SystemCall[], synchronous: ReadonlySet<string>): boolean {
  const isWrite = ({ name }: SystemCall): boolean => name.includes("write");
  const pages = calls.find((call) => isWrite(call) && !synchronous.has(call.descriptor));
  if (!pages) return false;
  const synced = calls.find((c) => /^f(data)?sync$/.test(c.name) && c.result === 0 && c.entered > pages.returned);
  if (!synced) return false;
  return calls.some((c) => isWrite(c) && synchronous.has(c.descriptor) && c.entered > synced.returned);
}
