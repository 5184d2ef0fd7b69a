import { describe, expect, it } from "vitest";
import {
  aggregateFieldErrors,
  duplicate,
  forbidden,
  formatFieldError,
  invalid,
  invalidStatus,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "./field-error.ts";

describe("one error", () => {
  it.each([
    [required("spec.a"), "spec.a: Required value"],
    [required("spec.a", "because"), "spec.a: Required value: because"],
    [invalid("spec.a", "x", "bad"), 'spec.a: Invalid value: "x": bad'],
    [invalid("spec.a", { b: 1 }, "bad"), 'spec.a: Invalid value: {"b":1}: bad'],
    [invalid("<nil>", null, "bad"), "<nil>: Invalid value: null: bad"],
    [invalid("spec.a", undefined, "bad"), "spec.a: Invalid value: bad"],
    [notSupported("spec.a", 3, ["1", "2"]), 'spec.a: Unsupported value: 3: supported values: "1", "2"'],
    [duplicate("spec.a[1]", "x"), 'spec.a[1]: Duplicate value: "x"'],
    [forbidden("spec.a", "no"), "spec.a: Forbidden: no"],
    [tooLong("spec.a", 1), "spec.a: Too long: may not be more than 1 byte"],
    [tooMany("spec.a", 5, 3), "spec.a: Too many: 5: must have at most 3 items"],
    [tooMany("spec.a", -1, -1), "spec.a: Too many: has too many items"],
  ])("reads as upstream's", (error, text) => {
    expect(formatFieldError(error)).toBe(text);
  });
});

describe("several errors", () => {
  it("stand in brackets, equal ones once", () => {
    expect(aggregateFieldErrors([required("a"), required("a")])).toBe("a: Required value");
    expect(aggregateFieldErrors([required("a"), required("b"), required("a")])).toBe(
      "[a: Required value, b: Required value]",
    );
  });

  it("become a Status that names each cause", () => {
    expect(
      invalidStatus({ group: "probe.dev", kind: "Probe" }, "x", [required("spec.a"), invalid("spec.b", 1, "bad")]),
    ).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'Probe.probe.dev "x" is invalid: [spec.a: Required value, spec.b: Invalid value: 1: bad]',
      reason: "Invalid",
      details: {
        name: "x",
        group: "probe.dev",
        kind: "Probe",
        causes: [
          { reason: "FieldValueRequired", message: "Required value", field: "spec.a" },
          { reason: "FieldValueInvalid", message: "Invalid value: 1: bad", field: "spec.b" },
        ],
      },
      code: 422,
    });
  });

  it("leave out an empty group", () => {
    expect(invalidStatus({ group: "", kind: "Node" }, "n", []).message).toBe('Node "n" is invalid');
  });
});
