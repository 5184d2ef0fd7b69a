/** The /_fleet control API: faults, machines and the rack view over HTTP, for those who bear the token. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { parseStep } from "../faults/script.ts";
import type { Fleet } from "../fleet.ts";
import { readBody } from "../http/body.ts";
import { manifestsOf } from "../manifests.ts";
import { rackView } from "./rack-view.ts";
import { machineView, summaryOf } from "./views.ts";

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const MOST_BODY_BYTES = 1 << 20;

/** Never rejects. */
export async function answerControl(fleet: Fleet, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await route(fleet, request).catch((error: unknown) => ({
    status: 500,
    body: { error: error instanceof Error ? error.message : String(error) },
  }));
  const isText = typeof body === "string";
  const text = isText ? body : `${JSON.stringify(body)}\n`;
  response.writeHead(status, { "content-type": isText ? "text/plain; charset=utf-8" : "application/json" }).end(text);
}

async function route(fleet: Fleet, request: IncomingMessage): Promise<Answer> {
  if (request.headers.authorization !== `Bearer ${fleet.control.token}`)
    return { status: 401, body: { error: "the control API needs the header: Authorization: Bearer TOKEN" } };
  const url = new URL(request.url ?? "/", "http://fleet");
  const [, root, what = "", id] = url.pathname.split("/");
  if (root !== "_fleet")
    return { status: 404, body: { error: `nothing at ${url.pathname}; the control API is below /_fleet` } };
  switch (`${request.method} ${what}`) {
    case "GET ":
      return { status: 200, body: summaryOf(fleet) };
    case "GET bmcs":
      return listBmcs(fleet, url, id);
    case "GET status":
      return { status: 200, body: rackView(fleet, ...racksIn(url)) };
    case "GET manifests":
      return {
        status: 200,
        body: manifestsOf(fleet, { access: url.searchParams.get("access") === "endpoint" ? "endpoint" : "inline" }),
      };
    case "GET faults":
      return { status: 200, body: fleet.control.list() };
    case "POST faults":
      return addFault(fleet, request);
    case "DELETE faults":
      return fleet.control.clear(id) || id === undefined
        ? { status: 200, body: {} }
        : { status: 404, body: { error: `no fault ${id}` } };
    default:
      return { status: 404, body: { error: `no ${request.method} ${url.pathname}` } };
  }
}

/** "?racks=3-5" or "?racks=3". */
function racksIn(url: URL): [number, number] {
  const [from = 1, to = from] = (url.searchParams.get("racks") ?? "1-1000000").split("-").map(Number);
  return [from, to];
}

function listBmcs(fleet: Fleet, url: URL, id: string | undefined): Answer {
  if (id === undefined) {
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const limit = Number(url.searchParams.get("limit") ?? 100);
    return { status: 200, body: fleet.bmcs.slice(offset, offset + limit) };
  }
  const bmc = fleet.control.bmcs[Number(id)];
  const described = fleet.bmcs[Number(id)];
  if (!bmc || !described) return { status: 404, body: { error: `no BMC ${id}` } };
  return {
    status: 200,
    body: {
      ...described,
      openSessions: bmc.openSessions,
      traffic: bmc.traffic,
      faults: bmc.faults ?? [],
      machines: bmc.hosts.map(machineView),
    },
  };
}

async function addFault(fleet: Fleet, request: IncomingMessage): Promise<Answer> {
  const raw = await readBody(request, MOST_BODY_BYTES);
  const problems: string[] = [];
  const step = parseStep(parseJson(raw), (why) => problems.push(why));
  if (!step) return { status: 400, body: { error: `the fault ${problems.join("; ")}` } };
  const { fault, on, forMs } = step;
  if (step.atMs === 0) return { status: 201, body: fleet.control.inject(fault, on, forMs) };
  fleet.control.run([step]);
  return { status: 202, body: { planned: step } };
}

function parseJson(raw: Buffer | undefined): unknown {
  try {
    return JSON.parse(raw?.toString("utf8") ?? "");
  } catch {
    return undefined;
  }
}
