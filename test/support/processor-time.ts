/**
 * Milliseconds that this thread computes from the call on, for bounds that hold on a busy machine too: what others compute
 * on the same cores does not count. In Node alone.
 */
export function processorTime(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
}
