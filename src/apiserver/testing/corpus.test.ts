import { describe, expect, it } from "vitest";
import { definitionSuite, fieldSuite, type Question, ruleSuite, runSuite } from "./corpus.ts";

function differences(questions: readonly Question[]): unknown[] {
  return questions
    .map(({ label, expect: upstream, ours }) => ({ label, upstream, ours: ours() }))
    .filter(({ upstream, ours }) => JSON.stringify(upstream) !== JSON.stringify(ours));
}

describe("answers equal kube-apiserver's, text for text", () => {
  it.each([
    ["values against keywords", () => fieldSuite().questions, 171],
    ["rules on create and update", () => runSuite().questions, 135],
    ["definitions", definitionSuite, 139],
    ["expressions and their cost", ruleSuite, 298],
  ] as const)("%s", (_, suite, size) => {
    const questions = suite();
    expect(questions).toHaveLength(size);
    expect(questions.filter((question) => question.expect.length > 0).length).toBeGreaterThan(size / 3);
    expect(differences(questions)).toEqual([]);
  });

  it("accepts the definitions that the suites install", () => {
    expect(definitionSuite().some((question) => question.expect.length === 0)).toBe(true);
  });
});
