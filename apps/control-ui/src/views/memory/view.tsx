import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ActButton } from "../../components/act-button.js";
import { Choice } from "../../components/choice.js";
import { ReadersOnly } from "../../components/closed-view.js";
import { FaultNote } from "../../components/fault-note.js";
import { type Filters, useFilters } from "../../components/filters.js";
import { PageBar } from "../../components/page-bar.js";
import { models } from "../../state/host.js";
import { Connections } from "./connections.js";
import { ImportDialog, NewDocumentDialog } from "./dialogs.js";
import { Documents } from "./documents.js";
import { agent, documentsOf, refreshMemory, tree } from "./memory.js";
import { text } from "./messages.js";
import { Profile } from "./profile.js";
import { SearchTab } from "./search.js";
import { Spaces } from "./spaces.js";
import { exported, exportMemory } from "./transfer.js";
import "../../styles/views/chat.css";
import "../../styles/views/plugins.css";
import "../../styles/views/memory.css";

const TABS = {
  documents: Documents,
  search: SearchTab,
  profile: Profile,
  spaces: Spaces,
  connections: Connections,
};
const NAMES = ["documents", "search", "profile", "spaces", "connections"] as const;

/** Memory for those who may read it. */
export function MemoryView() {
  return (
    <ReadersOnly method="memory.tree" scope="operator.read">
      <Memory />
    </ReadersOnly>
  );
}

/** Documents of an agent's memory, their search, and what belongs to them (UI-027). */
function Memory() {
  const filters = useFilters("memory");
  const isAdding = useSignal(false);
  const isImporting = useSignal(false);
  const chosen = filters.chosen("agent");
  useEffect(() => {
    agent.value = chosen;
    refreshMemory();
  }, [chosen]);
  useEffect(() => tree.show(), []);
  const view = NAMES.find((name) => name === filters.chosen("view")) ?? "documents";
  const Tab = TABS[view];
  const documents = tree.value.value && documentsOf(tree.value.value).length;
  const agents = models.value?.agents.map(({ agentId }) => agentId) ?? [];
  const far = exported.value;
  return (
    <>
      <PageBar
        title={text.title}
        tabs={NAMES.map((name) => ({
          ...{ name: text[name], path: pathOf(filters, name), isCurrent: name === view },
          count: name === "documents" ? documents : undefined,
        }))}
      >
        {agents.length > 1 && (
          <Choice
            label={text.agent}
            value={chosen}
            options={agents}
            none={text.defaultAgent}
            onChoose={(value) => filters.choose("agent", value)}
          />
        )}
        <ActButton scope="operator.write" onAct={() => (isImporting.value = true)}>
          {text.import}
        </ActButton>
        <ActButton
          scope="operator.read"
          reason={far && text.exporting(far.done, far.all)}
          onAct={() => void exportMemory()}
        >
          {far === undefined ? text.export : text.exporting(far.done, far.all)}
        </ActButton>
        <ActButton scope="operator.write" onAct={() => (isAdding.value = true)}>
          {text.newDocument}
        </ActButton>
      </PageBar>
      {tree.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={tree.fault.value} />
        </div>
      )}
      {tree.value.value === undefined ? (
        tree.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : (
        <Tab filters={filters} />
      )}
      {isAdding.value && (
        <NewDocumentDialog
          onCreated={(path) => {
            filters.choose("view", "");
            filters.choose("path", path);
          }}
          onClose={() => (isAdding.value = false)}
        />
      )}
      {isImporting.value && <ImportDialog onClose={() => (isImporting.value = false)} />}
    </>
  );
}

/** A tab keeps the agent. */
function pathOf({ chosen }: Filters, view: string): string {
  const query = new URLSearchParams();
  if (view !== "documents") query.set("view", view);
  if (chosen("agent") !== "") query.set("agent", chosen("agent"));
  return query.size === 0 ? "/memory" : `/memory?${query}`;
}
