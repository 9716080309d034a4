import path from "node:path";

/** Where a JDK and Maven may be, according to the environment. */
export function toolEnvironment(environment: Record<string, string | undefined> = process.env) {
  return {
    javaHome: environment.JAVA_HOME || undefined,
    home: environment.HOME ?? environment.USERPROFILE,
    path: (environment.PATH ?? environment.Path ?? "").split(path.delimiter).filter(Boolean),
  };
}

/** Environment of Maven and of the node: it uses the JDK that was found, whatever `JAVA_HOME` says. */
export function javaEnvironment(jdkHome: string): NodeJS.ProcessEnv {
  const { JAVA_TOOL_OPTIONS: _, ...kept } = process.env;
  return { ...kept, JAVA_HOME: jdkHome };
}
