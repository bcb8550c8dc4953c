import { describe, expectTypeOf, it } from "vitest";
import type { OpenClawPluginApi } from "../../src/index.js";

declare const api: OpenClawPluginApi;

describe("hooks of recall", () => {
  it("before_recall", () => {
    api.on("before_recall", ({ query, limit, source }) => {
      expectTypeOf(source).toEqualTypeOf<"auto" | "tool" | "api">();
      return query === "" ? { skip: true } : { query: query.trim(), limit: Math.min(limit, 5) };
    });
    // @ts-expect-error it is called limit
    api.on("before_recall", () => ({ query: "q", limits: 3 }));
  });

  it("after_recall", () => {
    api.on("after_recall", ({ results, durationMs }) => {
      expectTypeOf(durationMs).toEqualTypeOf<number>();
      return { results: results.filter(({ score }) => score > 0.5) };
    });
    // @ts-expect-error a result has a score
    api.on("after_recall", () => ({ results: [{ id: "1", text: "t" }] }));
  });
});
