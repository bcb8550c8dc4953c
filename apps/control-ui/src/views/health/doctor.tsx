import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { ActButton } from "../../components/act-button.js";
import { FaultNote } from "../../components/fault-note.js";
import { FormDialog } from "../../components/form-dialog.js";
import { StateMark } from "../../components/state-mark.js";
import { TableHead } from "../../components/table-head.js";
import { mayCall } from "../../state/link.js";
import { examination, type Finding, makeRepair, pathOf } from "./findings.js";
import { text } from "./messages.js";

const COLUMNS = [
  [text.state, "", true],
  [text.check, "", false],
  [text.result, "", false],
  [text.actions, "", true],
] as const;

/** Repair whose dialog is open. */
const chosen = signal<Finding["repair"]>(undefined);
/** Change that was made last. */
const made = signal<string | undefined>(undefined);

/** Findings of the doctor, each with the button that fixes it, or the way to the view that does. */
export function Doctor() {
  useEffect(() => {
    made.value = undefined;
    return examination.show();
  }, []);
  const found = examination.value.value;
  return (
    <section>
      <h2 class="grp">
        {text.findings}
        <span class="end">
          <ActButton scope="operator.admin" onAct={() => void examination.load()}>
            {text.examineAgain}
          </ActButton>
        </span>
      </h2>
      {made.value !== undefined && (
        <p class="sec mid wrap-any" role="status">
          {text.fixed(made.value)}
        </p>
      )}
      {examination.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={examination.fault.value} />
        </div>
      )}
      <Findings found={found} />
      {chosen.value !== undefined && <RepairDialog repair={chosen.value} />}
    </section>
  );
}

function Findings({ found }: { found: readonly Finding[] | undefined }) {
  if (found === undefined) {
    if (examination.fault.value !== undefined) return null;
    return (
      <p class="sec dim">{mayCall("doctor.examine") ? text.examining : text.findingsNeedAdmin}</p>
    );
  }
  const problems = found.filter(({ status }) => status !== "ok");
  const fine = found.length - problems.length;
  return (
    <>
      {problems.length > 0 && (
        <div class="rows findings" role="table" aria-label={text.findings}>
          <TableHead columns={COLUMNS} />
          {problems.map((finding) => (
            <Row key={`${finding.name} ${finding.message}`} finding={finding} />
          ))}
        </div>
      )}
      <p class="sec dim t12">
        {problems.length === 0 ? text.nothingFound(fine) : text.alsoFine(fine)}
      </p>
    </>
  );
}

function Row({ finding }: { finding: Finding }) {
  const { name, status, message, hint, repair } = finding;
  const isFailure = status === "fail";
  const path = pathOf(finding);
  return (
    <div class="row" role="row">
      <span role="cell">
        <StateMark
          state={isFailure ? "failed" : "stuck"}
          label={isFailure ? text.problem : text.warning}
        />
      </span>
      <span role="cell">
        <strong>{name}</strong>
      </span>
      <span role="cell" class="two">
        <div class={isFailure ? "bad" : "warn"}>{message}</div>
        {hint !== undefined && <div class="sub">{hint}</div>}
      </span>
      <span role="cell" class="free end">
        {repair !== undefined ? (
          <ActButton
            scope="operator.admin"
            label={text.fixOf(repair.description)}
            onAct={() => {
              chosen.value = repair;
            }}
          >
            {text.fix}
          </ActButton>
        ) : (
          path !== undefined && (
            <Link class="btn small" href={path} aria-label={text.openOf(name)}>
              {text.open}
            </Link>
          )
        )}
      </span>
    </div>
  );
}

function RepairDialog({ repair: { id, description } }: { repair: NonNullable<Finding["repair"]> }) {
  const close = () => {
    chosen.value = undefined;
  };
  return (
    <FormDialog
      title={text.fixIt}
      help={text.fixHelp(description)}
      submit={text.fixIt}
      onSubmit={async () => {
        made.value = await makeRepair(id);
        close();
      }}
      onClose={close}
    />
  );
}
