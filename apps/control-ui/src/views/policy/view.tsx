import { useEffect } from "preact/hooks";
import { ReadersOnly } from "../../components/closed-view.js";
import { FaultNote } from "../../components/fault-note.js";
import { useFilters } from "../../components/filters.js";
import { PageBar } from "../../components/page-bar.js";
import { gateway, mayCall } from "../../state/link.js";
import { SettingsDialogs, SettingsNotes } from "../settings/saving.js";
import { Explanation } from "./explanation.js";
import { Matrix } from "./matrix.js";
import { text } from "./messages.js";
import { fault, loadMatrix } from "./policy.js";
import { WhatIf } from "./what-if.js";
import "../../styles/views/settings.css";
import "../../styles/views/policy.css";

/** Policy of tools for those who may read it. */
export function PolicyView() {
  return (
    <ReadersOnly method="policy.explain" scope="operator.read">
      <Policy />
    </ReadersOnly>
  );
}

/** Why a tool is allowed or denied, for whom, and what another policy would change (UI-025, UI-026). */
function Policy() {
  const filters = useFilters("policy");
  const isOpen = gateway.value !== undefined;
  useEffect(() => {
    if (isOpen && mayCall("policy.matrix")) void loadMatrix();
  }, [isOpen]);
  const view = filters.chosen("view");
  const tabs = [
    { name: text.explain, path: "/policy", isCurrent: view === "" },
    { name: text.matrix, path: "/policy?view=matrix", isCurrent: view === "matrix" },
    { name: text.whatIf, path: "/policy?view=what-if", isCurrent: view === "what-if" },
  ];
  return (
    <>
      <PageBar title={text.title} tabs={tabs} />
      <SettingsNotes />
      {fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={fault.value} />
        </div>
      )}
      {view === "matrix" ? (
        <Matrix />
      ) : view === "what-if" ? (
        <WhatIf />
      ) : (
        <Explanation filters={filters} />
      )}
      <SettingsDialogs />
    </>
  );
}
