/** Fault rates, from 0 to 1. */
export interface Weather {
  d1: number;
  /** Calls between objects. */
  calls: number;
  queue: number;
  alarms: number;
  cloud: number;
  /** Requests to the receivers of webhooks. */
  receivers: number;
  /** Maximum time until a new object of the cloud is ready. */
  readyAfterMs: number;
  /** The cloud finishes nothing that it begins, until it rests. */
  isStuck?: boolean;
}

export const fine: Weather = {
  d1: 0,
  calls: 0,
  queue: 0,
  alarms: 0,
  cloud: 0,
  receivers: 0,
  readyAfterMs: 0,
};
