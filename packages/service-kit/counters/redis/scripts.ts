/**
 * One script a call: each is applied as a whole, gives its key an end, and reads the server's own
 * clock, so that processes whose clocks differ agree.
 */

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** KEYS: counter. ARGV: window in ms. @returns calls in the window, ms until it ends. */
export const HIT = `
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { count, left }
`;

/** KEYS: pace. ARGV: free calls, ms between later ones, ms until forgotten. @returns ms to wait. */
export const PACE = `${NOW}
local after, every, reset = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local seen = redis.call('HMGET', KEYS[1], 'count', 'last')
local count, last = tonumber(seen[1] or 0), tonumber(seen[2] or 0)
-- A clock that was set back must not make anybody wait longer than the pace says.
local wait = math.min(every, last + every - now)
if count >= after and wait > 0 then return wait end
redis.call('HSET', KEYS[1], 'count', count + 1, 'last', now)
redis.call('PEXPIRE', KEYS[1], reset)
return 0
`;

/** KEYS: items by time. ARGV: item, how many are kept, ms until forgotten. */
export const REMEMBER = `${NOW}
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -(tonumber(ARGV[2]) + 1))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
`;
