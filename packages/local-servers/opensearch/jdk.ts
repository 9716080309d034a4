import { access, readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { toolEnvironment } from "./config.ts";

/** Major version of Java that OpenSearch 3 needs. */
export const minimumJava = 21;

export type Jdk = {
  home: string;
  version: number;
};

const isWindows = process.platform === "win32";
const executable = (name: string) => (isWindows ? `${name}.exe` : name);

/** Finds the newest suitable JDK on this machine, in `JAVA_HOME`, the usual folders and the path. */
export async function findJdk(tools = toolEnvironment()): Promise<Jdk | undefined> {
  const homes = new Set<string>();
  if (tools.javaHome) homes.add(tools.javaHome);
  for (const folder of usualFolders(tools.home))
    for (const name of await readdir(folder).catch(() => []))
      for (const home of [name, path.join(name, "Contents/Home")])
        homes.add(path.join(folder, home));
  for (const folder of tools.path) {
    const java = await realpath(path.join(folder, executable("java"))).catch(() => undefined);
    if (java) homes.add(path.resolve(java, "../.."));
  }
  const found = await Promise.all([...homes].map(readJdk));
  return found
    .filter((jdk) => jdk !== undefined)
    .filter(({ version }) => version >= minimumJava)
    .sort((a, b) => b.version - a.version)[0];
}

function usualFolders(home: string | undefined): string[] {
  return [
    "/usr/lib/jvm",
    "/usr/java",
    "/opt/java",
    "/opt/jdk",
    "/Library/Java/JavaVirtualMachines",
    ...(home ? [".sdkman/candidates/java", ".jdks", ".jabba/jdk"] : []).map((name) =>
      path.join(home as string, name),
    ),
  ];
}

/** Every JDK states its version in a file named `release`. */
async function readJdk(home: string): Promise<Jdk | undefined> {
  try {
    await access(path.join(home, "bin", executable("javac")));
    const release = await readFile(path.join(home, "release"), "utf8");
    const version = Number(/^JAVA_VERSION="(\d+)/m.exec(release)?.[1]);
    return Number.isInteger(version) ? { home, version } : undefined;
  } catch {
    return undefined;
  }
}

export async function findMaven(tools = toolEnvironment()): Promise<string | undefined> {
  for (const folder of tools.path) {
    const program = path.join(folder, isWindows ? "mvn.cmd" : "mvn");
    if (
      await access(program).then(
        () => true,
        () => false,
      )
    )
      return program;
  }
  return undefined;
}

export function javaProgram({ home }: Jdk): string {
  return path.join(home, "bin", executable("java"));
}
