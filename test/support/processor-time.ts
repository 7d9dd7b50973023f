/**
 * Milliseconds of this thread's computing since the call. Other processes do not count, so a bound on it holds on a
 * busy machine too. Only in Node.
 */
export function processorTime(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}
