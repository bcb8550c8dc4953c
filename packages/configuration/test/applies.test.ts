import { describe, expect, it } from "vitest";
import { appliesOf } from "../src/applies.js";

describe("appliesOf", () => {
  it.each([
    ["tools.deny", "hot"],
    ["agents.helper.tools.allow", "hot"],
    ["agents.defaults.maxIterations", "hot"],
    ["agents.defaults.model", "hot"],
    ["agents.helper.model", "hot"],
    ["agents.helper.workspace", "hot"],
    ["agents.defaults.workspace", "plugin"],
    ["plugins.entries.x.config.apiKey", "plugin"],
    ["gateway.port", "listener"],
    ["gateway.auth.tokens", "listener"],
    ["gateway.enabled", "restart"],
    ["gateway.openai.models", "hot"],
    ["tools.approval.exec", "hot"],
    ["tools.http.allowHosts", "hot"],
    ["webhooks.build.text", "hot"],
    ["approvals.approvers", "hot"],
    ["store.retention.traceDays", "hot"],
    ["store.url", "restart"],
    ["tools.exec.sandbox", "hot"],
    ["a.key.that.nobody.knows", "restart"],
  ])("[GW-006] marks %s as %s", (key, applies) => {
    expect(appliesOf(key.split("."))).toBe(applies);
  });
});
