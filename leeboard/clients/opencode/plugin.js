// Leeboard in opencode: tells a hook what happens, and does what it answers. Where the hook can not be asked, all goes on.
// Written by `leeboard init --client opencode`, taken out by `leeboard uninstall`.
import { spawn } from "node:child_process"

const LINE = "leeboard-hook --client opencode"
const MILLISECONDS = 10_000

function ask(folder, told) {
  return new Promise((resolve) => {
    let answer = ""
    const read = () => {
      try {
        resolve(JSON.parse(answer) ?? {})
      } catch {
        resolve({})
      }
    }
    try {
      const env = { ...process.env, OPENCODE_PROJECT_DIR: folder }
      const hook = spawn(LINE, { shell: true, cwd: folder, env, stdio: ["pipe", "pipe", "ignore"], timeout: MILLISECONDS })
      hook.on("error", () => resolve({}))
      hook.on("close", read)
      hook.stdin.on("error", () => {})
      hook.stdout.on("data", (part) => (answer += part))
      hook.stdin.end(JSON.stringify({ ...told, cwd: folder }))
    } catch {
      resolve({})
    }
  })
}

export const Leeboard = async ({ client, directory }) => {
  const parents = new Map() // session -> the one that started it; empty: a person did
  const waiting = new Map() // session -> words that its next requests carry

  async function parent(id) {
    if (!parents.has(id)) {
      try {
        parents.set(id, (await client.session.get({ path: { id } })).data?.parentID ?? "")
      } catch {
        return ""
      }
    }
    return parents.get(id)
  }

  // The plugin may be there twice, as a package and as a file: each moment with a name of its own is told once.
  const told_before = (globalThis.leeboardTold ??= new Set())

  async function tell(event, id, told, name) {
    if (name && told_before.has(`${event} ${name}`)) return {}
    if (told_before.size > 10_000) told_before.clear()
    if (name) told_before.add(`${event} ${name}`)
    let root = id
    for (let above = await parent(root); above; above = await parent(root)) root = above
    const answer = await ask(directory, { event, session: root, agent: root === id ? "" : id, ...told })
    if (answer.person) client.tui?.showToast?.({ body: { message: answer.person, variant: "info" } })?.catch?.(() => {})
    return answer
  }

  return {
    event: async ({ event }) => {
      const told = event.properties ?? {}
      const id = told.sessionID ?? told.info?.id
      if (!id) return
      if (event.type === "session.created") {
        parents.set(id, told.info?.parentID ?? "")
        const begun = told.info?.parentID ? "agent.created" : event.type
        const answer = await tell(begun, id, {}, id)
        if (answer.words) waiting.set(id, answer.words)
      } else if (event.type === "session.idle" || event.type === "session.compacted" || event.type === "session.deleted") {
        await tell(event.type, id, {})
      }
    },
    "chat.message": async (input, output) => {
      if (await parent(input.sessionID)) return // the words of an agent to its sub-agent
      const said = (output.parts ?? []).filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
      const answer = await tell("chat.message", input.sessionID, { prompt: said.join("\n") }, output.message?.id)
      if (answer.words) waiting.set(input.sessionID, answer.words)
      else waiting.delete(input.sessionID)
    },
    "experimental.chat.system.transform": async (input, output) => {
      const words = waiting.get(input?.sessionID)
      if (words) output.system.push(words)
    },
    "tool.execute.before": async (input, output) => {
      const told = { tool: input.tool, call: input.callID, args: output.args }
      const answer = await tell("tool.execute.before", input.sessionID, told, input.callID)
      if (answer.refuse) throw new Error(answer.refuse)
    },
    "tool.execute.after": async (input, output) => {
      const metadata = { exit: output.metadata?.exit }
      const told = { tool: input.tool, call: input.callID, args: input.args, output: output.output, metadata }
      const answer = await tell("tool.execute.after", input.sessionID, told, input.callID)
      if (answer.words) output.output = `${output.output ?? ""}\n\n${answer.words}`
    },
  }
}
