import type { ContextDefinition, Removal } from "../database/context-definition.js";
import { injectionsAndExtensions } from "./migrations/0003-injections-and-extensions.js";
import { subagents } from "./migrations/0011-subagents.js";
import { sessionSettings } from "./migrations/0017-session-settings.js";
import type { SessionSchema } from "./schema.js";
import { incarnationsOf, removeBySession } from "./session-rows.js";

/** Removes the token totals of a session; those of its agent are kept. */
const removeTokenTotals: Removal = (session_key, unit) =>
  unit
    .query()
    .deleteFrom("token_totals")
    .where("scope", "=", "session")
    .where("id", "in", incarnationsOf(session_key, unit))
    .execute();

/**
 * The sessions context: sessions and incarnations, which are small and have no retention, and the
 * values of plugins, which have their own limits.
 */
export const SESSIONS: ContextDefinition<SessionSchema> = {
  migrations: [injectionsAndExtensions, subagents, sessionSettings],
  retentionDays: {},
  tables: {
    sessions: {
      key: ["session_key"],
      retention: "kept",
      removal: removeBySession("sessions"),
    },
    session_incarnations: {
      key: ["session_id"],
      dependsOn: ["sessions"],
      retention: "kept",
      removal: removeBySession("session_incarnations"),
    },
    token_totals: {
      key: ["scope", "id"],
      dependsOn: ["session_incarnations"],
      retention: "kept",
      removal: removeTokenTotals,
    },
    next_turn_injections: {
      key: ["position"],
      isNumbered: true,
      dependsOn: ["sessions"],
      // An injection for a turn that never starts expires by itself.
      retention: "kept",
      removal: removeBySession("next_turn_injections"),
    },
    session_extensions: {
      key: ["session_key", "plugin_id", "namespace"],
      dependsOn: ["sessions"],
      retention: "kept",
      removal: removeBySession("session_extensions"),
    },
    subagents: {
      key: ["position"],
      isNumbered: true,
      dependsOn: ["sessions"],
      retention: "kept",
      removal: removeBySession("subagents"),
    },
  },
};
