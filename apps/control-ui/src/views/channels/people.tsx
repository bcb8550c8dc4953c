import { signal } from "@preact/signals";
import { ActButton } from "../../components/act-button.js";
import { StateMark } from "../../components/state-mark.js";
import { faultOf } from "../../state/fault.js";
import { call, callAtLeave } from "../../state/link.js";
import { undoable } from "../../state/toast.js";
import { exactTime, shortTime } from "../../text/format.js";
import {
  type AdmittedPerson,
  change,
  closedBecause,
  fault,
  loadChannels,
  people,
} from "./channels.js";
import { text } from "./messages.js";
import { owners } from "./owners.js";

/** People who wrote and wait to be admitted. */
export function WaitingPeople() {
  const pending = people.value?.pending ?? [];
  if (pending.length === 0) return null;
  return (
    <section>
      <h2 class="grp">
        {text.waiting} <span class="n">{pending.length}</span>
      </h2>
      {pending.map(({ channel, accountId, senderId, userName, code, expiresAt }) => {
        const name = userName ?? senderId;
        return (
          <div class="pairing" key={`${channel} ${accountId} ${senderId}`}>
            <StateMark state="approval" label={text.waiting} />
            <div class="grow">
              <p>
                <strong>{name}</strong> {userName !== undefined && <code>{senderId}</code>}{" "}
                {text.wrote(channel, accountId)}
              </p>
              <p class="mid t12">{text.compare(exactTime(expiresAt))}</p>
            </div>
            <code class="paircode">{code}</code>
            <ActButton
              scope="operator.admin"
              reason={closedBecause()}
              label={text.admitNamed(name)}
              onAct={() => void change("pairing.approve", { channel, code })}
            >
              {text.admit}
            </ActButton>
          </div>
        );
      })}
    </section>
  );
}

/** People with what they may do. */
export function PeopleList() {
  const read = people.value;
  if (read === undefined) return <div class="page" />;
  const listed = read.admitted.filter((each) => keyOf(each) !== leaving.value);
  return (
    <div class="page">
      <WaitingPeople />
      {read.pending.length === 0 && listed.length === 0 && owners().length === 0 && (
        <div class="empty">
          <h2>{text.noneWait}</h2>
          <p>{text.noneWaitHelp}</p>
        </div>
      )}
      {(listed.length > 0 || owners().length > 0) && (
        <section>
          <h2 class="grp">
            {text.admitted} <span class="n">{listed.length}</span>
            <span class="end">{text.revokeHelp}</span>
          </h2>
          <div class="rows people" role="table" aria-label={text.admitted}>
            <div class="row head" role="row">
              <span role="columnheader">{text.person}</span>
              <span role="columnheader" class="x">
                {text.admittedOn}
              </span>
              <span role="columnheader" class="x">
                {text.may}
              </span>
              <span role="columnheader" class="x">
                <span class="vh">{text.byWhom("", "")}</span>
              </span>
              <span role="columnheader">
                <span class="vh">{text.action}</span>
              </span>
            </div>
            {owners()
              .filter(
                ({ channel, senderId }) =>
                  !listed.some((each) => each.channel === channel && each.senderId === senderId),
              )
              .map(({ channel, senderId }) => (
                <div class="row" role="row" key={`${channel} ${senderId}`}>
                  <span role="cell" class="strong">
                    {senderId}
                  </span>
                  <span role="cell" class="x mid">
                    {channel}
                  </span>
                  <span role="cell" class="x mid" title={text.mayAll}>
                    {text.mayAll}
                  </span>
                  <span role="cell" class="x sub">
                    {text.fromSettings}
                  </span>
                  <span role="cell" />
                </div>
              ))}
            {listed.map((person) => (
              <PersonRow key={keyOf(person)} person={person} />
            ))}
          </div>
        </section>
      )}
    </div>
  );
}

function PersonRow({ person }: { person: AdmittedPerson }) {
  const { channel, senderId, userName, addedAt, addedBy } = person;
  const name = userName ?? senderId;
  const isOwner = owners().some((each) => each.channel === channel && each.senderId === senderId);
  const rights = isOwner ? text.mayAll : text.mayWrite;
  return (
    <div class="row" role="row">
      <span role="cell" title={senderId}>
        <strong>{name}</strong> <span class="sub">{userName !== undefined && senderId}</span>
      </span>
      <span role="cell" class="x mid">
        {channel}
      </span>
      <span role="cell" class="x mid" title={rights}>
        {rights}
      </span>
      <span role="cell" class="x sub">
        {text.byWhom(addedBy, shortTime(addedAt))}
      </span>
      <span role="cell" class="free end">
        <ActButton
          scope="operator.admin"
          reason={closedBecause()}
          label={text.revokeNamed(name)}
          isDangerous
          isQuiet
          onAct={() => revoke(person)}
        >
          {text.revoke}
        </ActButton>
      </span>
    </div>
  );
}

function revoke(person: AdmittedPerson): void {
  const { channel, accountId, senderId, userName = senderId } = person;
  const parameters = { channel, accountId, senderId };
  const key = keyOf(person);
  const show = () => {
    if (leaving.value === key) leaving.value = undefined;
  };
  undoable({ text: text.revoked(userName), undo: show }, (isLeaving) => {
    if (isLeaving) {
      callAtLeave("pairing.revoke", parameters);
      return;
    }
    call("pairing.revoke", parameters).then(
      () => loadChannels().then(show),
      (error) => {
        fault.value = faultOf(error);
        show();
      },
    );
  });
  leaving.value = key;
}

/** Person who is revoked once the time for undoing has passed. */
const leaving = signal<string | undefined>(undefined);

function keyOf({ channel, accountId, senderId }: AdmittedPerson): string {
  return JSON.stringify([channel, accountId, senderId]);
}
