import { useEffect } from "preact/hooks";
import { ReadersOnly } from "../../components/closed-view.js";
import { FaultNote } from "../../components/fault-note.js";
import { useFilters } from "../../components/filters.js";
import { PageBar } from "../../components/page-bar.js";
import { Configured } from "./configured.js";
import { HookPage } from "./hook-page.js";
import { hooks } from "./hooks.js";
import { text } from "./messages.js";
import { Pipeline } from "./pipeline.js";
import "../../styles/views/plugins.css";
import "../../styles/views/policy.css";
import "../../styles/views/hooks.css";

/** Hooks for those who may read them. */
export function HooksView() {
  return (
    <ReadersOnly method="hooks.list" scope="operator.read">
      <Hooks />
    </ReadersOnly>
  );
}

/** Which handlers run when, how often, how long, and what is unusual about them (UI-024). */
function Hooks() {
  const filters = useFilters("hooks");
  useEffect(() => hooks.show(), []);
  const hook = filters.chosen("hook");
  if (hook !== "") return <HookPage key={hook} hook={hook} filters={filters} />;
  const page = hooks.value.value;
  const isConfigured = filters.chosen("view") === "configured";
  return (
    <>
      <PageBar
        title={text.title}
        tabs={[
          { name: text.pipeline, path: "/hooks", isCurrent: !isConfigured },
          {
            ...{ name: text.configured, path: "/hooks?view=configured" },
            ...{ count: page?.configured.hooks.length, isCurrent: isConfigured },
          },
        ]}
      />
      {hooks.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={hooks.fault.value} />
        </div>
      )}
      {page === undefined ? (
        hooks.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : isConfigured ? (
        <Configured configured={page.configured} />
      ) : (
        <Pipeline hooks={page.hooks} filters={filters} />
      )}
    </>
  );
}
