import { describe, expect, it } from "vitest";
import { systemClock } from "#clock";
import { collection, link, type Tree, withTree } from "../testing/tree-bmc.ts";
import type { RedfishRequest } from "./connection.ts";
import { failure, type Outcome, success } from "./outcome.ts";
import type { Reply } from "./scripted-bmc.ts";
import { RedfishService } from "./service.ts";

const expands = (more: Record<string, unknown> = { Levels: true, MaxLevels: 2 }): Tree => ({
  "/redfish/v1/": { ProtocolFeaturesSupported: { ExpandQuery: { NoLinks: true, ...more } } },
});
const two: Tree = { "/c": collection("/c/1", "/c/2"), "/c/1": { Id: "1" }, "/c/2": { Id: "2" } };
const ids = (outcome: Outcome<readonly { body: Readonly<Record<string, unknown>> }[]>): unknown =>
  outcome.ok ? outcome.value.map(({ body }) => body.Id) : outcome.failure.code;

describe("collections", () => {
  it("are read member by member where nothing is offered", () =>
    withTree({ tree: two }, async ({ service, asked }) => {
      await service.root();
      expect(ids(await service.members("/c"))).toEqual(["1", "2"]);
      expect(asked.map(({ path }) => path).slice(1)).toEqual(["/c", "/c/1", "/c/2"]);
    }));

  it.each([
    ["with levels", { Levels: true, MaxLevels: 2 }, "/c?$expand=.($levels=1)"],
    ["without levels", { Levels: false }, "/c?$expand=."],
  ])("are read in one request where $expand is offered %s", (_, offer, path) =>
    withTree(
      {
        tree: expands(offer),
        behave: ({ path: asked }) =>
          asked.startsWith("/c?") ? { body: { Members: [{ ...link("/c/1"), Id: "1" }] } } : undefined,
      },
      async ({ service, asked }) => {
        await service.root();
        expect(ids(await service.members("/c"))).toEqual(["1"]);
        expect(asked.at(-1)?.path).toBe(path);
      },
    ),
  );

  it("that come back as mere links are read member by member without asking for the list again", () =>
    withTree({ tree: { ...expands(), ...two } }, async ({ service, asked }) => {
      await service.root();
      expect(ids(await service.members("/c"))).toEqual(["1", "2"]);
      expect(asked.filter(({ path }) => path.startsWith("/c?") || path === "/c")).toHaveLength(1);
    }));

  it.each([
    ["refused", { status: 400 }],
    ["answered with a web page", { body: "<html>" }],
    ["the end of the web server", { status: 500 }],
    ["cut off", { body: { Members: [], More: "x".repeat(200) }, cutAfter: 30 }],
  ] as readonly [string, Reply][])("whose $expand is %s are read plainly, and it is not tried again", (_, reply) =>
    withTree(
      { tree: { ...expands(), ...two }, behave: ({ path }) => (path.includes("$expand") ? reply : undefined) },
      async ({ service, asked }) => {
        await service.root();
        expect(ids(await service.members("/c"))).toEqual(["1", "2"]);
        const tried = asked.filter(({ path }) => path.includes("$expand")).length;
        expect(ids(await service.members("/c"))).toEqual(["1", "2"]);
        expect(asked.filter(({ path }) => path.includes("$expand"))).toHaveLength(tried);
      },
    ),
  );

  it("in pages are read to the end", () =>
    withTree(
      {
        tree: {
          ...two,
          "/c": { ...collection("/c/1"), "Members@odata.nextLink": "https://bmc.local/c2?$skip=1" },
          "/c2": collection("/c/2"),
        },
      },
      async ({ service }) => expect(ids(await service.members("/c"))).toEqual(["1", "2"]),
    ));

  it("whose pages lead in a circle end nevertheless", () =>
    withTree({ tree: { "/c": { ...collection(), "Members@odata.nextLink": "/c" } } }, async ({ service, asked }) => {
      expect(ids(await service.members("/c"))).toEqual([]);
      expect(asked.length).toBeLessThan(100);
    }));
});

describe("changes", () => {
  /** Refuses If-Match unless it is one of these; undefined is a request without one. */
  const accepting =
    (...tags: readonly (string | undefined)[]) =>
    ({ method, headers }: { method: string; headers: Record<string, unknown> }): Reply | undefined => {
      if (method === "GET") return { headers: { etag: '"fresh"' }, body: {} };
      return tags.includes(headers["if-match"] as string | undefined) ? { status: 204 } : { status: 412 };
    };

  it.each([
    ["the ETag it had", ['"old"'], ['"old"']],
    ["a fresh one after a 412", ['"fresh"'], ['"old"', '"fresh"']],
    ["none after two", [undefined], ['"old"', '"fresh"', undefined]],
  ] as const)("are guarded by %s", (_, taken, sent) =>
    withTree({ tree: {}, behave: accepting(...taken) }, async ({ service, asked }) => {
      expect(await service.patch({ path: "/r", etag: '"old"' }, { A: 1 })).toMatchObject({ ok: true });
      const patches = asked.filter(({ method }) => method === "PATCH");
      expect(patches.map(({ headers }) => headers["if-match"])).toEqual([...sent]);
    }),
  );

  it("that stay refused are a failure after the third", () =>
    withTree({ tree: {}, behave: accepting() }, async ({ service, writes }) => {
      const code = "PreconditionFailed";
      expect(await service.patch({ path: "/r", etag: '"old"' }, {})).toMatchObject({ failure: { code } });
      expect(writes).toHaveLength(3);
    }));

  it("never carry If-Match in an action", () =>
    withTree({ tree: {} }, async ({ service, asked }) => {
      await service.post("/r/Actions/X", {});
      expect(asked.at(-1)?.headers["if-match"]).toBeUndefined();
    }));

  it.each([
    ["a relative Location", { location: "/tasks/1" }, {}, "/tasks/1"],
    ["an absolute Location", { location: "https://idrac-x.local/tasks/1?a=b" }, {}, "/tasks/1?a=b"],
    ["the task in the body", {}, link("/tasks/2"), "/tasks/2"],
    ["its monitor in the body", {}, { TaskMonitor: "/mon/3" }, "/mon/3"],
    ["nothing", {}, {}, undefined],
  ] as const)("accepted with %s", (_, headers, body, monitor) =>
    withTree(
      { tree: {}, behave: ({ method }) => (method === "POST" ? { status: 202, headers, body } : undefined) },
      async ({ service }) => expect(await service.post("/x", {})).toMatchObject({ ok: true, value: { monitor } }),
    ),
  );
});

describe("a read of a few properties", () => {
  const root = { "/redfish/v1/": { ProtocolFeaturesSupported: { SelectQuery: true } } };

  it("asks for them where $select is offered", () =>
    withTree({ tree: { ...root, "/x": {} } }, async ({ service, asked }) => {
      await service.root();
      expect(await service.getOnly("/x", ["PowerState", "Status"])).toMatchObject({ value: { path: "/x" } });
      expect(asked.at(-1)?.path).toBe("/x?$select=PowerState,Status");
    }));

  it("is a plain read where it is not, or does not work", () =>
    withTree(
      { tree: { ...root, "/x": {} }, behave: ({ path }) => (path.includes("$select") ? { status: 501 } : undefined) },
      async ({ service, asked }) => {
        await service.getOnly("/x", ["PowerState"]);
        await service.root();
        for (let i = 0; i < 2; i++) expect((await service.getOnly("/x", ["PowerState"])).ok).toBe(true);
        expect(asked.filter(({ path }) => path.includes("$select"))).toHaveLength(1);
      },
    ));
});

describe("reads", () => {
  const flaky = (times: number) => {
    const asked: RedfishRequest[] = [];
    const send = async (request: RedfishRequest) => {
      asked.push(request);
      if (asked.length <= times) return failure("ConnectionLost", "gone");
      return success({ status: 200, headers: {}, body: {} });
    };
    return { asked, service: new RedfishService({ send }, systemClock) };
  };

  it("are tried once more when the connection ended under them", async () => {
    const { service, asked } = flaky(1);
    expect((await service.get("/x")).ok).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it("are not tried a third time", async () => {
    const { service, asked } = flaky(5);
    expect((await service.get("/x")).ok).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it("changes are never repeated for a lost connection", async () => {
    const { service, asked } = flaky(1);
    expect((await service.post("/x", {})).ok).toBe(false);
    expect(asked).toHaveLength(1);
  });

  it("of something that is not an object are broken answers", () =>
    withTree({ tree: {}, behave: () => ({ body: [1] }) }, async ({ service }) =>
      expect(await service.get("/x")).toMatchObject({ failure: { code: "BrokenAnswer" } }),
    ));
});
