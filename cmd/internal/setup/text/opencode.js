// Tells opencode what the memory holds: at the start of a session, after it was compacted, of a file
// that is read or changed, and of what a prompt is about; and keeps what a session ended with. The
// last three are a person's choice.
const command = COMMAND
const events = EVENTS

const tools = ["read", "edit", "multiedit", "write", "patch", "apply_patch"]

export const CpMemory = async ({ directory }) => {
  const told = new Map() // by session
  const compacted = new Set()
  const answers = new Map() // the last one, by session
  const children = new Set() // the sessions of sub-agents

  const ask = async (event, input) => {
    if (!events.includes(event)) return ""
    try {
      const hook = Bun.spawn([...command, "hook", event, "--agent", "opencode"], {
        cwd: directory,
        stdin: new Blob([JSON.stringify({ cwd: directory, ...input })]),
        stdout: "pipe",
        stderr: "ignore",
      })
      const timer = setTimeout(() => hook.kill(), 5000)
      const text = await new Response(hook.stdout).text()
      clearTimeout(timer)
      return text.trim()
    } catch {
      return "" // a hook never stops an agent
    }
  }

  return {
    event: async ({ event }) => {
      const { sessionID, info } = event.properties ?? {}
      if (event.type === "session.created" && info?.parentID) children.add(info.id)
      if (event.type === "session.deleted") answers.delete(sessionID ?? info?.id)
      if (event.type !== "session.compacted") return
      compacted.add(sessionID)
      told.delete(sessionID)
      answers.delete(sessionID) // it is the summary
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID) return
      if (!told.has(sessionID)) {
        told.set(sessionID, ask("start", { session_id: sessionID, source: compacted.has(sessionID) ? "compact" : "startup" }))
      }
      const text = await told.get(sessionID)
      if (text) output.system.push(text)
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const typed = parts.filter((part) => part.type === "text" && !part.synthetic)
      if (typed.length === 0 || children.has(sessionID)) return
      const text = await ask("prompt", { session_id: sessionID, prompt: typed.map((part) => part.text).join("\n") })
      if (!text) return
      // The ids order the parts: this one comes after the last.
      parts.push({ id: parts.at(-1).id + "0", sessionID, messageID: message.id, type: "text", text, synthetic: true })
    },
    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      if (!tools.includes(tool) || typeof output?.output !== "string") return
      const text = await ask("file", { session_id: sessionID, tool_name: tool, tool_input: args })
      if (text) output.output += "\n\n" + text
    },
    "experimental.text.complete": async ({ sessionID }, { text }) => {
      if (!children.has(sessionID) && text.trim()) answers.set(sessionID, text)
    },
    dispose: async () => {
      for (const [session, text] of answers) {
        answers.delete(session)
        await ask("end", { session_id: session, last_assistant_message: text })
      }
    },
  }
}
