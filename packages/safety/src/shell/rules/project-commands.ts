import type { ShellRule } from "../../rules/rule.js";
import type { SimpleCommand } from "../grammar/parsed-command.js";
import { isTextProgram } from "../grammar/text-program.js";
import { eachCommand, hasOption, nameOf, operandsOf, sourcesOf } from "../parsing/command-facts.js";

/** Options of git whose value is the next word. */
const GIT_VALUES = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--config-env",
]);
const CONTAINER_TOOLS = new Set([
  "docker",
  "podman",
  "nerdctl",
  "docker-compose",
  "podman-compose",
]);
const CONTAINER_LOSS = new Set(["rm", "rmi", "prune", "kill", "down", "leave"]);
const CLUSTER_TOOLS = new Set(["kubectl", "oc", "helm", "k3s"]);
const CLUSTER_LOSS = new Set(["delete", "drain", "uninstall", "evict"]);
const CLOUD_TOOLS = new Set([
  "aws",
  "gcloud",
  "az",
  "gsutil",
  "terraform",
  "tofu",
  "pulumi",
  "heroku",
  "flyctl",
  "fly",
  "vercel",
  "gh",
  "glab",
]);
const CLOUD_LOSS = /^(?:delete|destroy|remove-all|rb|terminate-instances|delete-.+|.+:destroy)$/;
const DATABASE_TOOLS = new Set(["dropdb", "dropuser", "redis-cli", "mongo", "mongosh"]);
const SQL_LOSS =
  /(?<![A-Za-z0-9_])(?:drop\s+(?:table|database|schema|user|role|view|index)|truncate\s+table|truncate\s+[A-Za-z0-9_."`]+\s*;|delete\s+from)(?![A-Za-z0-9_])/i;
const STORE_LOSS = /flushall|flushdb|dropdatabase|\.drop\(/i;
/** Programs whose words may mention SQL without running it. */
const TEXT_TOOLS = new Set(["git", "sed", "awk", "gawk", "mawk", "tee"]);
/** Programs that take SQL on standard input. */
const SQL_CLIENTS =
  /^(?:psql|mysql|mariadb|sqlite3?|sqlcmd|sqlplus|duckdb|clickhouse-client|cockroach|bq)$/;

/** Commands that destroy work, data or running systems (SAFE-043). */
export const PROJECT_COMMAND_RULES: readonly ShellRule[] = [
  {
    kind: "shell",
    id: "shell_git_loss",
    title: "loss of git history or changes",
    reason: "Commits or uncommitted work disappear, locally or for everyone.",
    severity: "high",
    class: "explicit",
    match: eachCommand(losesGitWork),
    examples: {
      match: [
        "git push --force",
        "git push -f origin main",
        "git push origin +main",
        "git reset --hard HEAD~1",
        "git clean -fdx",
        "git -C repo branch -D topic",
        "git stash clear",
      ],
      clean: [
        "git push origin main",
        "git reset --soft HEAD~1",
        "git clean -n",
        "git branch -d topic",
        "git status",
      ],
    },
  },
  {
    kind: "shell",
    id: "shell_container_removal",
    title: "removal of containers, images or volumes",
    reason: "The data of a container or volume is lost with it.",
    severity: "high",
    class: "explicit",
    match: eachCommand(
      (command) =>
        CONTAINER_TOOLS.has(nameOf(command)) &&
        operandsOf(command.arguments)
          .slice(0, 3)
          .some((word) => CONTAINER_LOSS.has(word ?? "")),
    ),
    examples: {
      match: [
        "docker rm web",
        "docker system prune -af",
        "docker volume rm data",
        "podman rmi image",
      ],
      clean: ["docker ps", "docker run --rm alpine true", "docker build ."],
    },
  },
  {
    kind: "shell",
    id: "shell_cluster_removal",
    title: "removal in a cluster or a cloud",
    reason: "It removes systems that others may use.",
    severity: "high",
    class: "explicit",
    match: eachCommand(losesCloud),
    examples: {
      match: [
        "kubectl delete pod web",
        "terraform destroy",
        "aws s3 rm --recursive s3://bucket",
        "gh repo delete x",
        "npm unpublish x",
      ],
      clean: ["kubectl get pods", "terraform plan", "aws s3 ls", "npm run delete"],
    },
  },
  {
    kind: "shell",
    id: "shell_database_loss",
    title: "loss of data in a database",
    reason: "Tables or rows are deleted, and most databases cannot restore them.",
    severity: "high",
    class: "explicit",
    match: eachCommand((command, parsed, index) => {
      const name = nameOf(command);
      if (name === "dropdb" || name === "dropuser") return true;
      if (DATABASE_TOOLS.has(name)) return STORE_LOSS.test(wordsOf(command));
      if (isTextProgram(name) || TEXT_TOOLS.has(name)) return false;
      const read = SQL_CLIENTS.test(name)
        ? [command, ...sourcesOf(parsed, index)].flatMap((source) => [
            wordsOf(source),
            ...inputTextOf(source),
          ])
        : [wordsOf(command)];
      return read.some((text) => SQL_LOSS.test(text));
    }),
    examples: {
      match: [
        'psql -c "DROP TABLE users"',
        "echo 'delete from users' | mysql app",
        "sqlite3 app.db <<< 'TRUNCATE TABLE logs'",
        "redis-cli FLUSHALL",
        "DROP TABLE users;",
      ],
      clean: [
        "grep -rn 'DROP TABLE' migrations",
        'psql -c "select 1"',
        "git commit -m 'Drop table of contents'",
      ],
    },
  },
];

function wordsOf({ program, arguments: words }: SimpleCommand): string {
  return [program, ...words].join(" ");
}

/** Returns the text of here-documents and here-strings. */
function inputTextOf({ redirections }: SimpleCommand): string[] {
  return redirections.flatMap(({ operator, target }) =>
    operator.startsWith("<<") && target !== undefined ? [target] : [],
  );
}

function losesCloud(command: SimpleCommand): boolean {
  const name = nameOf(command);
  const words = command.arguments;
  if (CLUSTER_TOOLS.has(name)) return words.some((word) => CLUSTER_LOSS.has(word ?? ""));
  if (name === "npm" || name === "pnpm") return words[0] === "unpublish";
  if (!CLOUD_TOOLS.has(name)) return false;
  const removes = (word: string | undefined) => word === "rm" || word === "rmi";
  return (
    words.some((word) => CLOUD_LOSS.test(word ?? "")) ||
    (words.some(removes) && hasOption(words, "rR", ["recursive"]))
  );
}

function losesGitWork(command: SimpleCommand): boolean {
  if (nameOf(command) !== "git") return false;
  const [subcommand, ...words] = gitWords(command.arguments);
  switch (subcommand) {
    case "push":
      return (
        hasOption(words, "fd", ["force", "force-with-lease", "mirror", "delete", "prune"]) ||
        words.some((word) => /^[+:]./.test(word ?? ""))
      );
    case "reset":
      return hasOption(words, "", ["hard"]);
    case "clean":
      return hasOption(words, "f", ["force"]) && !hasOption(words, "n", ["dry-run"]);
    case "branch":
      return (
        hasOption(words, "D") ||
        (hasOption(words, "d", ["delete"]) && hasOption(words, "f", ["force"]))
      );
    case "checkout":
    case "switch":
      return hasOption(words, "f", ["force", "discard-changes"]);
    case "stash":
      return words[0] === "clear" || words[0] === "drop";
    case "reflog":
      return words[0] === "expire" || words[0] === "delete";
    case "filter-branch":
    case "filter-repo":
      return true;
    default:
      return false;
  }
}

/** Returns the words of git from its subcommand on. */
function gitWords(words: readonly (string | undefined)[]): readonly (string | undefined)[] {
  let index = 0;
  while (index < words.length) {
    const word = words[index];
    if (word === undefined || !word.startsWith("-")) break;
    index += GIT_VALUES.has(word) ? 2 : 1;
  }
  return words.slice(index);
}
