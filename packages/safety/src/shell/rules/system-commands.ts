import type { ShellRule } from "../../rules/rule.js";
import { eachCommand, hasOption, nameOf } from "../parsing/command-facts.js";

const KILL_SIGNAL = /^-(?:9|KILL|SIGKILL)$/i;
const KILL_NAME = /^(?:9|KILL|SIGKILL)$/i;
const STOPPERS = new Set(["shutdown", "reboot", "poweroff", "halt", "telinit"]);
const RUN_LEVELS = new Set(["0", "1", "6", "s", "S"]);
const SERVICE_LOSS = new Set([
  "stop",
  "disable",
  "mask",
  "kill",
  "isolate",
  "unload",
  "remove",
  "bootout",
]);
const MACHINE_LOSS = new Set([
  "poweroff",
  "reboot",
  "halt",
  "kexec",
  "rescue",
  "emergency",
  "suspend",
  "hibernate",
]);
const SERVICE_TOOLS = new Set([
  "systemctl",
  "service",
  "launchctl",
  "rc-service",
  "rc-update",
  "initctl",
  "sv",
]);
const FIREWALLS = new Set([
  "iptables",
  "ip6tables",
  "iptables-restore",
  "nft",
  "ufw",
  "firewall-cmd",
  "pfctl",
  "ipfw",
]);
const ACCOUNT_TOOLS = new Set([
  "useradd",
  "userdel",
  "usermod",
  "adduser",
  "deluser",
  "groupadd",
  "groupdel",
  "groupmod",
  "gpasswd",
  "passwd",
  "chpasswd",
  "vipw",
  "vigr",
  "visudo",
  "chsh",
]);

/** Commands that change the machine for all its users (SAFE-043). */
export const SYSTEM_COMMAND_RULES: readonly ShellRule[] = [
  {
    kind: "shell",
    id: "shell_kill",
    title: "forced termination of programs",
    reason: "The program cannot save its data; by name, all programs of that name are terminated.",
    severity: "high",
    class: "explicit",
    match: eachCommand((command) => {
      const name = nameOf(command);
      const { arguments: words } = command;
      if (name === "killall" || name === "pkill" || name === "killall5" || name === "xkill")
        return true;
      if (name !== "kill") return false;
      const named = words.some(
        (word, index) => word === "-s" && KILL_NAME.test(words[index + 1] ?? ""),
      );
      return (
        named || words.some((word) => KILL_SIGNAL.test(word ?? "")) || words.slice(1).includes("-1")
      );
    }),
    examples: {
      match: ["kill -9 4711", "kill -s KILL 4711", "pkill node", "kill -15 -1"],
      clean: ["kill 4711", "kill -l", "kill -TERM 4711"],
    },
  },
  {
    kind: "shell",
    id: "shell_machine_stop",
    title: "shutdown of the machine",
    reason: "It ends everything on the machine, including this agent.",
    severity: "high",
    class: "explicit",
    match: eachCommand((command) => {
      const name = nameOf(command);
      const words = command.arguments;
      if (name === "init") return RUN_LEVELS.has(words[0] ?? "");
      if (name === "systemctl") return words.some((word) => MACHINE_LOSS.has(word ?? ""));
      return STOPPERS.has(name);
    }),
    examples: {
      match: ["shutdown -h now", "reboot", "init 0", "systemctl poweroff"],
      clean: ["git init", "init 3", "systemctl status", "npm init"],
    },
  },
  {
    kind: "shell",
    id: "shell_service_stop",
    title: "stop of a service",
    reason: "Other programs may depend on it.",
    severity: "high",
    class: "explicit",
    match: eachCommand(
      (command) =>
        SERVICE_TOOLS.has(nameOf(command)) &&
        command.arguments.some((word) => SERVICE_LOSS.has(word ?? "")),
    ),
    examples: {
      match: [
        "systemctl stop nginx",
        "systemctl --now disable nginx",
        "service mysql stop",
        "launchctl unload x.plist",
      ],
      clean: ["systemctl status nginx", "service mysql status"],
    },
  },
  {
    kind: "shell",
    id: "shell_firewall",
    title: "change of the firewall",
    reason: "It can expose the machine to the network, or lock its owner out.",
    severity: "high",
    class: "explicit",
    match: eachCommand((command) => FIREWALLS.has(nameOf(command))),
    examples: {
      match: ["iptables -F", "ufw disable", "nft flush ruleset"],
      clean: ["cat /etc/nftables.conf"],
    },
  },
  {
    kind: "shell",
    id: "shell_account",
    title: "change of accounts",
    reason: "It decides who can log in, and as whom.",
    severity: "high",
    class: "explicit",
    match: eachCommand((command) => ACCOUNT_TOOLS.has(nameOf(command))),
    examples: {
      match: ["passwd root", "useradd eve", "usermod -aG sudo eve"],
      clean: ["cat passwd.txt", "id eve"],
    },
  },
  {
    kind: "shell",
    id: "shell_schedule",
    title: "change of scheduled tasks",
    reason: "Scheduled tasks run later without review; removing the table removes all of them.",
    severity: "high",
    class: "explicit",
    match: eachCommand(
      (command) =>
        nameOf(command) === "crontab" ||
        (nameOf(command) === "at" && !hasOption(command.arguments, "lc")) ||
        nameOf(command) === "batch",
    ),
    examples: {
      match: ["crontab -r", "crontab new.tab", "at now + 1 minute"],
      clean: ["cat crontab.txt", "at -l"],
    },
  },
];
