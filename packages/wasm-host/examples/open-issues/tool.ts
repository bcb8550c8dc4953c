// Lists the open issues of a repository at GitHub. The host adds the token, which the component never sees.
import { Json, parsed, quoted } from "../adapter/json";
import { textOf } from "../adapter/memory";
import { send } from "../adapter/requests";
import { failure, returned, success } from "../adapter/tool";

export { realloc } from "../adapter/memory";

export function description(): usize {
  return returned("Lists the newest open issues of a repository at GitHub, with their numbers, titles and authors.");
}

export function schema(): usize {
  return returned(
    '{"type":"object","properties":{"repository":{"type":"string","pattern":"^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$",' +
      '"description":"Owner and name, for example openclaw/openclaw."},' +
      '"count":{"type":"integer","minimum":1,"maximum":50}},"required":["repository"],"additionalProperties":false}',
  );
}

export function execute(params: usize, length: i32, hasContext: i32, context: usize, contextLength: i32): usize {
  const given = parsed(textOf(params, length));
  if (given === null) return failure("the arguments are not JSON");
  const repository = given.textOf("repository");
  const count = isNaN(given.numberOf("count")) ? 10 : i32(given.numberOf("count"));
  const url = "https://api.github.com/repos/" + repository + "/issues?state=open&per_page=" + count.toString();
  const answer = send("GET", url, '{"accept":"application/vnd.github+json"}', "");
  if (answer.error != "") return failure("the request failed: " + answer.error);
  if (answer.status == 404) return failure("the repository " + repository + " does not exist, or the token may not read it");
  if (answer.status != 200) return failure("GitHub answered with the status " + answer.status.toString());
  const issues = parsed(answer.body);
  if (issues === null) return failure("the answer of GitHub is not JSON");
  return success("[" + issues.items.map<string>((issue) => issueText(issue)).join(",") + "]");
}

function issueText(issue: Json): string {
  const author = issue.fields.has("user") ? issue.fields.get("user").textOf("login") : "";
  return (
    '{"number":' + i64(issue.numberOf("number")).toString() + ',"title":' + quoted(issue.textOf("title")) +
    ',"author":' + quoted(author) + "}"
  );
}
