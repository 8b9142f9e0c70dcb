/**
 * Settings under which a zeromq socket takes every message at once, in order, and however many there are; they wait in
 * the socket's own queue.
 *
 * The binding can hold one message that has to wait, and refuses the next ("Socket is busy writing"). One waits when
 * the queue has reached its high-water mark (1,000 messages), or after 512 messages in one turn of the loop. Neither
 * tslab nor anybody who answers several requests in a turn waits for the one before. Without a mark a send is always
 * possible, and with a send timeout of 0 the binding never puts it off.
 */
export const SEND_AT_ONCE = { sendHighWaterMark: 0, sendTimeout: 0 } as const;
