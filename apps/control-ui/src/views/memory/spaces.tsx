import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Link } from "wouter-preact";
import { ActButton } from "../../components/act-button.js";
import { FaultNote } from "../../components/fault-note.js";
import type { Filters } from "../../components/filters.js";
import { FormDialog } from "../../components/form-dialog.js";
import { call } from "../../state/link.js";
import { AssignDialog, SpaceDialog } from "./dialogs.js";
import { documentPath } from "./documents.js";
import { agent, ofAgent, openSpace, spaces } from "./memory.js";
import { text } from "./messages.js";

/** Spaces, and the documents of the chosen one. */
export function Spaces({ filters }: { filters: Filters }) {
  const dialog = useSignal<"create" | "add" | "delete" | undefined>(undefined);
  const close = () => {
    dialog.value = undefined;
  };
  const chosen = filters.chosen("space");
  useEffect(() => {
    openSpace.value = chosen;
    return spaces.show();
  }, [chosen, agent.value]);
  const page = spaces.value.value;
  const isOpen = chosen !== "" && page?.space === chosen;
  return (
    <>
      <div class="filters sess">
        <span class="end line">
          {isOpen && (
            <>
              <ActButton scope="operator.write" onAct={() => (dialog.value = "delete")}>
                {text.delete}
              </ActButton>
              <ActButton scope="operator.write" onAct={() => (dialog.value = "add")}>
                {text.addDocument}
              </ActButton>
            </>
          )}
          <ActButton scope="operator.write" onAct={() => (dialog.value = "create")}>
            {text.newSpace}
          </ActButton>
        </span>
      </div>
      {spaces.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={spaces.fault.value} />
        </div>
      )}
      {page === undefined ? (
        spaces.fault.value === undefined && <div class="page" aria-busy="true" />
      ) : page.spaces.length === 0 ? (
        <div class="empty">
          <h2>{text.noSpaces}</h2>
          <p>{text.noSpacesHelp}</p>
        </div>
      ) : (
        <div class="page">
          <div class="rows mspaces" role="table" aria-label={text.spaces}>
            {page.spaces.map(({ name, description, documents }) => (
              <div
                class="row act"
                role="row"
                key={name}
                data-selected={name === chosen || undefined}
              >
                <span role="cell">
                  <button
                    class="cover plain"
                    type="button"
                    aria-expanded={name === chosen}
                    onClick={() => filters.choose("space", name === chosen ? "" : name)}
                  >
                    <strong>{name}</strong>
                  </button>
                </span>
                <span role="cell" class="x mid">
                  {description}
                </span>
                <span role="cell" class="end sub">
                  {text.inside(documents)}
                </span>
              </div>
            ))}
          </div>
          {isOpen && (
            <section aria-label={chosen}>
              <h2 class="grp">{chosen}</h2>
              {page.documents.length === 0 && <p class="sec dim">{text.emptySpace}</p>}
              <ul class="mlinks pad">
                {page.documents.map((path) => (
                  <li key={path}>
                    <Link href={documentPath(path, filters)}>{path}</Link>
                    <ActButton
                      scope="operator.write"
                      label={text.takeOut(path)}
                      onAct={() =>
                        void spaces.change(() =>
                          call("memory.assign", {
                            ...{ space: chosen, path, isIn: false, ...ofAgent() },
                          }),
                        )
                      }
                    >
                      {text.takeOutShort}
                    </ActButton>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </div>
      )}
      {dialog.value === "create" && <SpaceDialog onClose={close} />}
      {dialog.value === "add" && <AssignDialog space={chosen} onClose={close} />}
      {dialog.value === "delete" && (
        <FormDialog
          title={text.deleteSpace(chosen)}
          help={text.deleteSpaceHelp}
          submit={text.deleteSpace(chosen)}
          isDangerous
          onSubmit={async () => {
            const space = chosen;
            filters.choose("space", "");
            openSpace.value = "";
            await spaces.change(() => call("memory.deleteSpace", { space, ...ofAgent() }));
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
