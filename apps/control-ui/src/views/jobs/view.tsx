import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { ActButton } from "../../components/act-button.js";
import { ReadersOnly } from "../../components/closed-view.js";
import { FaultNote } from "../../components/fault-note.js";
import { FilterBar } from "../../components/filter-bar.js";
import { useFilters } from "../../components/filters.js";
import { PageBar } from "../../components/page-bar.js";
import { useFocusKey } from "../../shell/keyboard.js";
import { JobBoard } from "./board.js";
import { NewJobDialog } from "./dialogs.js";
import { jobs } from "./jobs.js";
import { JobList, matches } from "./list.js";
import { text } from "./messages.js";
import { JobPage } from "./page.js";
import { HostTasks } from "./tasks.js";
import "../../styles/views/plugins.css";
import "../../styles/views/jobs.css";

/** States of jobs, in the order of the board. */
const JOB_STATES = [
  ...["pending", "in_progress", "stuck", "completed"],
  ...["submitted", "failed", "accepted", "cancelled"],
];

/** Jobs as a board or a list, one of them, and the background tasks of the host. */
export function JobsView() {
  const [path] = useLocation();
  const [, asked] = /^\/jobs\/([^/]+)$/.exec(path) ?? [];
  const id = asked === undefined ? undefined : decodeURIComponent(asked);
  return (
    <ReadersOnly method="jobs.list" scope="operator.read">
      {id === undefined ? <AllJobs /> : <JobPage key={id} id={id} />}
    </ReadersOnly>
  );
}

function AllJobs() {
  const filters = useFilters("jobs");
  const find = useRef<HTMLInputElement>(null);
  const isCreating = useSignal(false);
  const view = filters.chosen("view");
  const tab = (name: string, value: string) => ({
    ...{ name, path: value === "" ? "/jobs" : `/jobs?view=${value}` },
    isCurrent: view === value,
  });
  useEffect(() => jobs.show(), []);
  useFocusKey(find);
  const read = jobs.value.value;
  const found = read?.jobs.filter((job) => matches(job, filters)) ?? [];
  const agents = [...new Set(read?.jobs.map(({ agentId }) => agentId) ?? [])].sort();
  const channels = [...new Set(read?.jobs.map(({ channel }) => channel) ?? [])].sort();
  return (
    <>
      <PageBar
        title={text.title}
        tabs={[tab(text.board, ""), tab(text.list, "list"), tab(text.tasks, "tasks")]}
      >
        <ActButton scope="operator.write" onAct={() => (isCreating.value = true)}>
          {text.newJob}
        </ActButton>
      </PageBar>
      {view === "tasks" ? (
        <HostTasks />
      ) : (
        <>
          <FilterBar
            class="sess"
            filters={filters}
            choices={[
              ...(view === "list"
                ? [
                    {
                      ...{ label: text.state, name: "state", options: JOB_STATES },
                      wordOf: text.stateOf,
                    },
                  ]
                : []),
              { label: text.agent, name: "agent", options: agents },
              { label: text.channel, name: "channel", options: channels },
            ]}
            hint={text.findHint}
            input={find}
          >
            <span class="x">{text.shown(found.length)}</span>
          </FilterBar>
          {jobs.fault.value !== undefined && (
            <div class="pad">
              <FaultNote fault={jobs.fault.value} />
            </div>
          )}
          {read === undefined ? (
            <div class="page" aria-busy="true" />
          ) : found.length === 0 ? (
            <div class="empty">
              <h2>{read.jobs.length === 0 ? text.none : text.nothingFits}</h2>
              <p>{read.jobs.length === 0 ? text.noneHelp : text.changeFilter}</p>
            </div>
          ) : view === "list" ? (
            <JobList jobs={found} />
          ) : (
            <JobBoard jobs={found} />
          )}
        </>
      )}
      {isCreating.value && <NewJobDialog onClose={() => (isCreating.value = false)} />}
    </>
  );
}
