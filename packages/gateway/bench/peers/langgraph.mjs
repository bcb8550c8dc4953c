// A turn of LangGraph.js: a graph of one node that answers at once, with SqliteSaver, and like `process` without a
// flush at each commit.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ANSWER, measure, QUESTION } from "./measure.mjs";

const [folder, modules] = process.argv.slice(2);
const require = createRequire(join(modules, "package.json"));
const load = (name) => import(pathToFileURL(require.resolve(name)).href);
const { AIMessage, HumanMessage } = await load("@langchain/core/messages");
const { MessagesAnnotation, StateGraph } = await load("@langchain/langgraph");
const { SqliteSaver } = await load("@langchain/langgraph-checkpoint-sqlite");

const checkpointer = SqliteSaver.fromConnString(join(folder, "checkpoints.db"));
checkpointer.db.pragma("journal_mode = wal");
checkpointer.db.pragma("synchronous = normal");
const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async () => ({ messages: [new AIMessage(ANSWER)] }))
  .addEdge("__start__", "model")
  .addEdge("model", "__end__")
  .compile({ checkpointer });

await measure(async (session) => {
  const input = { messages: [new HumanMessage(QUESTION)] };
  const { messages } = await graph.invoke(input, { configurable: { thread_id: session } });
  return messages.at(-1).content;
});
