#!/usr/bin/env node
// Starts the program for this machine, which is a package of its own, and is seen as if it were it: same streams, same
// signals, same exit code.
"use strict";
const { spawn } = require("node:child_process");
const { accessSync, constants } = require("node:fs");

const machine = `${process.platform}-${process.arch}`;
const packages = Object.keys(require("../package.json").optionalDependencies);

function program() {
  const wanted = `@cp-memory/${machine}`;
  if (!packages.includes(wanted)) {
    fail(`there is no program for ${machine}`, `there is one for ${packages.map((p) => p.split("/")[1]).join(" and ")}; the source builds elsewhere: https://github.com/cp-memory/cp#install`);
  }
  try {
    const file = require.resolve(`${wanted}/bin/cp-memory`);
    accessSync(file, constants.X_OK);
    return file;
  } catch (e) {
    if (e.code === "EACCES") fail(`${e.path} may not be run`, "install the package anew, or give it back its rights: chmod +x");
    fail(`the package ${wanted} is not installed`, "npm leaves it out with --omit=optional, and where a lock file was made on another machine: npm install --include=optional cp-memory");
  }
}

function fail(what, hint) {
  console.error(`cp-memory: ${what}\nHint: ${hint}`);
  process.exit(1);
}

// start runs the program beside this process, which then waits for it. A terminal sends its interrupt to both, and a second
// one would end the program at once, in the middle of a write.
function start(file, args) {
  const child = spawn(file, args, { stdio: "inherit", argv0: name });
  for (const s of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(s, () => s === "SIGINT" && process.stdin.isTTY || child.kill(s));
  }
  child.on("error", (e) => fail(e.message, `is ${file} whole?`));
  child.on("exit", (code, signal) => {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

const name = "cp-memory"; // its hints call it so, and not by a path in node_modules
const file = program();
const args = process.argv.slice(2);
if (process.execve) process.execve(file, [name, ...args]); // since Node 22.15: 40 MB less for as long as a server runs
else start(file, args);
