import path from "node:path";

/** Where to look for a JDK and Maven, according to the environment. */
export function toolEnvironment(environment: Record<string, string | undefined> = process.env) {
  return {
    javaHome: environment.JAVA_HOME || undefined,
    home: environment.HOME ?? environment.USERPROFILE,
    path: (environment.PATH ?? environment.Path ?? "").split(path.delimiter).filter(Boolean),
  };
}

/** Environment of Maven and the node, which use the JDK found, whatever `JAVA_HOME` says. */
export function javaEnvironment(jdkHome: string): NodeJS.ProcessEnv {
  const { JAVA_TOOL_OPTIONS: _, ...kept } = process.env;
  return { ...kept, JAVA_HOME: jdkHome };
}
