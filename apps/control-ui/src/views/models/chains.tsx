import { ActButton, closedReason } from "../../components/act-button.js";
import { StateMark } from "../../components/state-mark.js";
import { text } from "./messages.js";
import { isChanging, type ModelsPage, orderModels } from "./models.js";
import { healthOf } from "./view.js";

/** Models of each agent in the order in which they are called, which buttons change. */
export function Chains({ page }: { page: ModelsPage }) {
  return (
    <section>
      <h2 class="grp">{text.chains}</h2>
      {page.status.agents.map((agent) => (
        <Chain key={agent.agentId} page={page} agent={agent} />
      ))}
    </section>
  );
}

function Chain({
  page,
  agent: { agentId, model: first, fallbacks },
}: {
  page: ModelsPage;
  agent: ModelsPage["status"]["agents"][number];
}) {
  const busy = isChanging.value ? text.working : undefined;
  const others = page.list.models
    .map(({ model }) => model)
    .filter((model) => model !== first && !fallbacks.includes(model));
  const move = (index: number, step: number) => {
    const order = [...fallbacks];
    const [moved] = order.splice(index, 1);
    if (moved !== undefined) order.splice(index + step, 0, moved);
    void orderModels(agentId, order);
  };
  return (
    <div class="chainrow">
      <strong>{agentId}</strong>
      <ol class="chain" aria-label={text.chainOf(agentId)}>
        <li>
          <Mark page={page} model={first} />
        </li>
        {fallbacks.map((model, index) => (
          <li key={model}>
            <Mark page={page} model={model} />
            <ActButton
              scope="operator.admin"
              isQuiet
              label={text.earlier(model, agentId)}
              reason={busy ?? (index === 0 ? text.chainOf(agentId) : undefined)}
              onAct={() => move(index, -1)}
            >
              ←
            </ActButton>
            <ActButton
              scope="operator.admin"
              isQuiet
              label={text.later(model, agentId)}
              reason={busy ?? (index === fallbacks.length - 1 ? text.chainOf(agentId) : undefined)}
              onAct={() => move(index, 1)}
            >
              →
            </ActButton>
            <ActButton
              scope="operator.admin"
              isQuiet
              label={text.remove(model, agentId)}
              reason={busy}
              onAct={() =>
                void orderModels(
                  agentId,
                  fallbacks.filter((each) => each !== model),
                )
              }
            >
              ✕
            </ActButton>
          </li>
        ))}
        {fallbacks.length === 0 && <li class="dim">{text.noFallback}</li>}
      </ol>
      <select
        class="select"
        aria-label={text.add(agentId)}
        disabled={busy !== undefined || closedReason("operator.admin") !== undefined}
        title={closedReason("operator.admin")}
        value=""
        onChange={(event) => {
          const model = event.currentTarget.value;
          event.currentTarget.value = "";
          if (model !== "") void orderModels(agentId, [...fallbacks, model]);
        }}
      >
        <option value="">{text.addHint}</option>
        {others.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </select>
    </div>
  );
}

function Mark({ page, model }: { page: ModelsPage; model: string }) {
  const provider = model.slice(0, model.indexOf("/"));
  const { state, note } = healthOf(page, { model, provider });
  return (
    <>
      <StateMark state={state} label={note} /> <code title={note}>{model}</code>
    </>
  );
}
