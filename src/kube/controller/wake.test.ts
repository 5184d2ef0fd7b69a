import { describe, expect, it } from "vitest";
import { settle } from "#clock";
import type { ObjectKey } from "#kinds";
import { controllerRef } from "../objects/owner.ts";
import { at, Box, box, resize } from "../testing/box.ts";
import { Crate, nothing, noting } from "../testing/noting.ts";
import { runtimeRig } from "../testing/runtime-rig.ts";
import type { Decision } from "./decision.ts";
import { external, mapped, owned } from "./wake.ts";

const key = (name: string): ObjectKey => ({ namespace: "ns", name });

describe("what wakes a controller", () => {
  it("its own kind: what is there, what comes, what changes", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("old"));
    const { seen, controller } = noting();
    await rig.start(controller);
    await rig.api.create(Box, box("new"));
    await settle();
    await rig.api.patch(Box, at("old"), resize(9));
    await settle();
    expect(seen).toEqual(["old", "new", "old"]);
    await rig.end();
  });

  it("not by changes of its own kind that it ignores", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const { seen, controller } = noting({
      ignores: (before, after) => before.metadata.generation === after.metadata.generation,
    });
    await rig.start(controller);
    await rig.api.patch(Box, at("a"), { type: "merge", body: { status: { phase: "On" } } }, { subresource: "status" });
    await settle();
    expect(seen).toEqual(["a"]);
    await rig.api.patch(Box, at("a"), resize(2));
    await settle();
    expect(seen).toEqual(["a", "a"]);
    await rig.end();
  });

  it("objects it owns wake the owner; those of other owners do not", async () => {
    const rig = runtimeRig();
    const owner = await rig.api.create(Box, box("owner"));
    const { seen, controller } = noting({ wakes: [owned(Crate)] });
    await rig.start(controller);
    seen.length = 0;
    const ownerReferences = [controllerRef(Box, owner)];
    await rig.api.create(Crate, { metadata: { ...at("child"), ownerReferences } });
    await rig.api.create(Crate, { metadata: { ...at("stranger"), ownerReferences: [] } });
    const namesake = [{ ...controllerRef(Box, owner), kind: "Pallet" }];
    await rig.api.create(Crate, { metadata: { ...at("of-a-namesake"), ownerReferences: namesake } });
    await settle();
    expect(seen).toEqual(["owner"]);
    await rig.api.delete(Crate, at("child"));
    await settle();
    expect(seen).toEqual(["owner", "owner"]);
    await rig.end();
  });

  it("mapped objects wake what they name, before a change and after it; a mapping that throws harms nobody", async () => {
    const rig = runtimeRig();
    for (const name of ["a", "b"]) await rig.api.create(Box, box(name));
    const { seen, controller } = noting({
      wakes: [
        mapped(Crate, ({ metadata }) => {
          if (!metadata.labels?.box) throw new Error("no label");
          return [key(metadata.labels.box)];
        }),
      ],
    });
    await rig.start(controller);
    await rig.api.create(Crate, { metadata: { ...at("c"), labels: { box: "a" } } });
    await settle();
    seen.length = 0;
    await rig.api.patch(Crate, at("c"), { type: "merge", body: { metadata: { labels: { box: "b" } } } });
    await settle();
    expect(seen).toEqual(["a", "b"]);
    await rig.api.create(Crate, { metadata: at("bare") });
    await settle();
    expect(rig.log).toContainEqual(expect.objectContaining({ msg: "mapping to keys failed", kind: "Crate" }));
    await rig.end();
  });

  it("a source of its own, subscribed while it runs", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    let wake: ((key: string) => void) | undefined;
    const hardware = external((told) => {
      wake = told;
      return () => {
        wake = undefined;
      };
    });
    const { seen, controller } = noting({ wakes: [hardware] });
    await rig.start(controller);
    wake?.("ns/a");
    await settle();
    expect(seen).toEqual(["a", "a"]);
    await rig.end();
    expect(wake).toBeUndefined();
  });

  it("a time it asked for", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const wakeAt = new Date("2026-01-01T00:10:00Z");
    let passes = 0;
    const decide = (): Decision => ({ ...nothing, ...(passes++ === 0 ? { wakeAt } : {}) });
    const { seen, controller } = noting({ decide });
    await rig.start(controller);
    await rig.clock.advance(599_999);
    expect(seen).toEqual(["a"]);
    await rig.clock.advance(1);
    expect(seen).toEqual(["a", "a"]);
    await rig.end();
  });

  it("a time in the past does not make it spin", async () => {
    const rig = runtimeRig();
    await rig.api.create(Box, box("a"));
    const { seen, controller } = noting({ decide: () => ({ ...nothing, wakeAt: new Date(0) }) });
    await rig.start(controller);
    await rig.clock.advance(1_000);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.length).toBeLessThan(15);
    await rig.end();
  });
});
