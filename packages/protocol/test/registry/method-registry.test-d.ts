import { describe, expectTypeOf, it } from "vitest";
import type { EventPayload } from "../../src/definition/event.js";
import type { approvalEvent } from "../../src/events/approval.js";
import type { ApprovalSummary } from "../../src/methods/approvals.js";
import { sessionMethods } from "../../src/methods/sessions.js";
import type { GatewayMethods } from "../../src/methods/table.js";
import { MethodRegistry } from "../../src/registry/method-registry.js";

const table = { "sessions.delete": sessionMethods["sessions.delete"] };
const deleted = { sessionKey: "agent:main:main", sessionId: "ses_1", messageCount: 2 };

describe("MethodRegistry", () => {
  const sessions = MethodRegistry.of(table, {
    "sessions.delete": async (parameters) => {
      expectTypeOf(parameters).toEqualTypeOf<{ readonly sessionKey: string }>();
      return deleted;
    },
  });

  it("types calls by the table", () => {
    expectTypeOf(sessions.call("sessions.delete", { sessionKey: "main" })).resolves.toEqualTypeOf<{
      readonly sessionKey: string;
      readonly sessionId: string;
      readonly messageCount: number;
    }>();
    // @ts-expect-error the parameter is missing
    void sessions.call("sessions.delete", {});
    // @ts-expect-error the parameter is not one of the method
    void sessions.call("sessions.delete", { sessionKey: "main", force: true });
    // @ts-expect-error the registry does not have the method
    void sessions.call("plugins.list", {});
  });

  it("requires every method of its table, with the result in the definition", () => {
    // @ts-expect-error an implementation is missing
    MethodRegistry.of(table, {});
    MethodRegistry.of(table, {
      // @ts-expect-error the result has no messageCount
      "sessions.delete": async ({ sessionKey }) => ({ sessionKey, sessionId: "" }),
    });
  });

  it("is not a registry of all methods while a family is missing", () => {
    // @ts-expect-error the methods of the other families are missing
    const incomplete: MethodRegistry<GatewayMethods> = sessions;
    void incomplete;
  });
});

describe("EventPayload", () => {
  it("has the type of the event's schema", () => {
    expectTypeOf<EventPayload<typeof approvalEvent>>().toEqualTypeOf<ApprovalSummary>();
  });
});
