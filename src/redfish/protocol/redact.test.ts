import fc from "fast-check";
import { expect, it } from "vitest";
import { failure } from "./outcome.ts";
import { withoutSecrets } from "./redact.ts";

const secret = fc
  .string({ minLength: 6, maxLength: 24, unit: "grapheme-ascii" })
  .filter((text) => text.trim() === text && !"[redacted]".includes(text));

it("no secret survives in any place of a failure, however it is quoted", () => {
  fc.assert(
    fc.property(secret, (password) => {
      const quoted = JSON.stringify(password).slice(1, -1);
      const told = failure("Refused", `PATCH /x: the value '${password}' of Password (${quoted}) is too short`, {
        extended: [
          { messageId: "Base.PropertyValueFormatError", message: password, resolution: password, args: [password] },
        ],
      });
      expect(JSON.stringify(withoutSecrets(told, [password]))).not.toContain(quoted);
    }),
  );
});

it("what is no failure and what is no secret stays as it is", () => {
  const value = { ok: true, value: "hunter2" } as const;
  expect(withoutSecrets(value, ["hunter2"])).toBe(value);
  expect(withoutSecrets(failure("Refused", "no such thing"), ["", "no"])).toEqual(failure("Refused", "no such thing"));
});
