import { json } from '../../table/description.js';
import { AGENT_ERRORS } from '../common.js';
import { call, USER } from './call.js';

const NOTHING = json('Done.', { type: 'object' }, {});
const SEATS = json('All seats; `user_id` is null for a free one.', 'viewer.json#/$defs/all_seats', [
  { player: 1, user_id: USER },
  { player: 2, user_id: null },
]);
const GAME_ERRORS = ['not_a_console', 'not_playing', 'too_many_calls', ...AGENT_ERRORS] as const;
const SEAT_ERRORS = ['not_a_console', 'seat_taken', 'user_not_found'] as const;

/** What players and integrators can ask of a console. */
export const consoleCalls = [
  call({
    method: 'console.saveState',
    id: 'saveState',
    summary: 'Save the state of a game',
    args: 'console_slot',
    example: [0],
    answer: NOTHING,
    errors: ['state_not_saved', ...GAME_ERRORS],
  }),
  call({
    method: 'console.loadState',
    id: 'loadState',
    summary: 'Load a saved state of a game',
    args: 'console_slot',
    example: [0],
    answer: NOTHING,
    errors: [...GAME_ERRORS, 'slot_empty', 'state_not_loaded'],
  }),
  call({
    method: 'console.pause',
    id: 'pauseGame',
    summary: 'Pause or resume a game',
    args: 'console_switch',
    example: [true],
    answer: NOTHING,
    errors: GAME_ERRORS,
  }),
  call({
    method: 'console.fastForward',
    id: 'fastForward',
    summary: 'Set the speed of a game',
    args: 'console_switch',
    example: [true],
    answer: NOTHING,
    errors: GAME_ERRORS,
  }),
  call({
    method: 'console.reset',
    id: 'resetGame',
    summary: "Press the console's reset button",
    args: 'console_reset',
    example: [],
    answer: NOTHING,
    errors: GAME_ERRORS,
  }),
  call({
    method: 'seats',
    summary: "Give a player's seat to a user",
    description: '`null` instead of a user frees the seat.',
    args: 'seats',
    example: [1, USER],
    answer: SEATS,
    errors: SEAT_ERRORS,
  }),
];
