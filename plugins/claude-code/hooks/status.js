// The line under the prompt: is the guard alive here, and what does it think? `leeboard statusline` has the words.
// It is asked where the guard may have heard or said something, never twice at once, and the session waits for none of it.
const MILLISECONDS = 5_000
let asking = false
let stale = false

async function show($, told) {
  stale = true
  if (asking) return
  asking = true
  while (stale) {
    stale = false
    $.ui.status(await ask($, told))
  }
  asking = false
}

async function ask($, { session_id, cwd, transcript_path }) {
  const stdin = JSON.stringify({ session_id, cwd, transcript_path })
  try {
    const { exitCode, stdout } = await $.process.run(["leeboard", "statusline"], { stdin, timeoutMs: MILLISECONDS })
    return exitCode === 0 ? stdout.trim() : undefined
  } catch {
    return undefined // not installed here, or too slow: the line is gone
  }
}

async function after($, e, next) {
  const answer = await next(e)
  show($, e)
  return answer
}

// Whatever fails here, the moment itself goes on.
const onward = ($, e, next) => next(e)

export const register = (on) => {
  on("classic.SessionStart", after).catch(onward)
  on("classic.UserPromptSubmit", after).catch(onward)
  on("classic.PostToolBatch", after).catch(onward)
  on("classic.Stop", after).catch(onward)
}
