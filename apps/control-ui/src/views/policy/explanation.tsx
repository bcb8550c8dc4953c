import { useEffect } from "preact/hooks";
import { ActButton } from "../../components/act-button.js";
import { Choice } from "../../components/choice.js";
import type { Filters } from "../../components/filters.js";
import { StateMark } from "../../components/state-mark.js";
import { models } from "../../state/host.js";
import { gateway } from "../../state/link.js";
import { filled } from "../../text/catalogue.js";
import { text } from "./messages.js";
import {
  type Answer,
  answer,
  explain,
  type Flip,
  matrix,
  openFlip,
  type Question,
} from "./policy.js";
import { deciderWords, placeOf } from "./words.js";

/** Circumstances that are written, each the name of a parameter. */
const WRITTEN = ["sessionKey", "model", "groupId", "senderId"] as const;

/** Why a tool is allowed or denied, layer by layer, and what would change it. */
export function Explanation({ filters }: { filters: Filters }) {
  const isOpen = gateway.value !== undefined;
  const { chosen } = filters;
  const tool = chosen("tool");
  const question: Question = {
    tool,
    ...Object.fromEntries(
      ["agentId", ...WRITTEN].flatMap((name) =>
        chosen(name) === "" ? [] : [[name, chosen(name)]],
      ),
    ),
  };
  const asked = JSON.stringify(question);
  const isStale = answer.value?.of !== asked;
  useEffect(() => {
    if (isOpen && tool !== "" && isStale) void explain(question);
  }, [isOpen, asked, answer.value === undefined]);
  const agents = matrix.value?.agents ?? models.value?.agents.map(({ agentId }) => agentId) ?? [];
  const labels = {
    sessionKey: text.session,
    model: text.model,
    groupId: text.group,
    senderId: text.sender,
  };
  return (
    <>
      <div class="filters sess who">
        <div class="choices">
          <Choice
            label={text.tool}
            value={tool}
            options={matrix.value?.tools.map((each) => each.tool) ?? []}
            none={text.choose}
            onChoose={(value) => filters.choose("tool", value)}
          />
          <Choice
            label={text.agent}
            value={chosen("agentId")}
            options={agents}
            none={agents[0] ?? text.choose}
            onChoose={(value) => filters.choose("agentId", value)}
          />
          {WRITTEN.map((name) => (
            <label class="choice" key={name}>
              {labels[name]}
              <input
                class="input mono"
                spellcheck={false}
                placeholder={name === "senderId" ? text.operator : text.none}
                value={chosen(name)}
                onChange={({ currentTarget }) => filters.choose(name, currentTarget.value.trim())}
              />
            </label>
          ))}
        </div>
      </div>
      {tool === "" ? (
        <div class="empty">
          <h2>{text.chooseTool}</h2>
          <p>{text.chooseToolHelp}</p>
        </div>
      ) : (
        answer.value !== undefined &&
        !isStale && (
          <div class="page">
            <Layers answer={answer.value.answer} agent={chosen("agentId") || agents[0] || "main"} />
          </div>
        )
      )}
    </>
  );
}

function Layers({ answer: found, agent }: { answer: Answer; agent: string }) {
  const { tool, allowed, decidedBy, layers, caps, flip } = found;
  const deciding = decidedBy.kind === "layer" ? decidedBy.layer : undefined;
  return (
    <div class="explain">
      <p class="verdict">
        <StateMark
          state={allowed ? "done" : "blocked"}
          label={allowed ? text.allowed : text.denied}
        />
        <span>
          {filled(allowed ? text.verdictAllowed : text.verdictDenied, {
            tool: <code>{tool}</code>,
            agent: <b>{agent}</b>,
            by: deciderWords(decidedBy),
          })}
        </span>
      </p>
      <ol class="layers" aria-label={text.layers}>
        {layers.map(({ layer, verdict, note, rule, list, source }, index) => {
          const isDeciding = layer === deciding;
          const look = isDeciding ? "decides" : verdict === "silent" ? "quiet" : undefined;
          const words =
            rule === undefined ? (note ?? "") : text.names(source?.key ?? list ?? "", rule);
          return (
            <li class={look} key={layer}>
              <span class="n">{index + 1}</span>
              <span>{layer}</span>
              <span>{text[verdict]}</span>
              <span class="lr">{words}</span>
              <span class="ls" title={source?.file}>
                {placeOf(source)}
              </span>
            </li>
          );
        })}
        {caps
          .filter(({ verdict }) => verdict === "deny")
          .map(({ cap, note }) => (
            <li class="decides" key={cap}>
              <span class="n">–</span>
              <span>{cap}</span>
              <span>{text.deny}</span>
              <span class="lr">{note}</span>
              <span class="ls" />
            </li>
          ))}
      </ol>
      <p class="dim t12">{text.everyLayer}</p>
      {flip !== undefined && <FlipCard flip={flip} allowed={allowed} />}
    </div>
  );
}

function FlipCard({ flip, allowed }: { flip: Flip; allowed: boolean }) {
  return (
    <section class="flip">
      <h2 class="h">{allowed ? text.flipDeny : text.flipAllow}</h2>
      {flip.kind === "steps" ? (
        <>
          <p>{text.steps}</p>
          <ol class="flip-steps">
            {flip.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </>
      ) : (
        <>
          <p class="mono t12">{flip.text}</p>
          <p class="line">
            <ActButton scope="operator.admin" onAct={() => void openFlip(flip)}>
              {text.open}
            </ActButton>
            <span class="dim t12">{text.openHelp}</span>
          </p>
        </>
      )}
    </section>
  );
}
