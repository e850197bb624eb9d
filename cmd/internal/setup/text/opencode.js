// Tells opencode at the start of a session, and after it was compacted, what the memory holds.
const command = COMMAND

export const CpMemory = async ({ directory }) => {
  const told = new Map() // by session
  const compacted = new Set()

  const ask = async (session) => {
    try {
      const input = { session_id: session, cwd: directory, source: compacted.has(session) ? "compact" : "startup" }
      const hook = Bun.spawn([...command, "hook", "start", "--agent", "opencode"], {
        cwd: directory,
        stdin: new Blob([JSON.stringify(input)]),
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
      if (event.type !== "session.compacted") return
      compacted.add(event.properties.sessionID)
      told.delete(event.properties.sessionID)
    },
    "experimental.chat.system.transform": async ({ sessionID }, output) => {
      if (!sessionID) return
      if (!told.has(sessionID)) told.set(sessionID, ask(sessionID))
      const text = await told.get(sessionID)
      if (text) output.system.push(text)
    },
  }
}
