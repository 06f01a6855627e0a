import t from 'tap';
import { UserList, type SessionPerson } from '../../../src/web/sdk/users.js';

const ada = {
  user_id: 'a',
  name: 'Ada',
  color: '#7048e8',
  admin: true,
  controls: true,
  control_disabled: false,
  control_exclusive: false,
};
const guest = {
  user_id: 'g',
  name: 'Guest 2',
  admin: false,
  controls: true,
  control_disabled: false,
  control_exclusive: false,
};

t.test('what a list changes is told: who left, who joined, who changed, then all', t => {
  const told: [string, unknown][] = [];
  const note = (name: string) => (user: SessionPerson) => void told.push([name, user.name]);
  const list = new UserList({
    onUserJoined: note('joined'),
    onUserLeft: note('left'),
    onUserChanged: note('changed'),
    onUsers: users => told.push(['all', users.map(({ name }) => name)]),
  });
  const after = (users: object[]) => {
    told.length = 0;
    list.update({ type: 'users', users: users as (typeof ada)[] });
    return told;
  };
  t.same(after([ada, guest]), [
    ['joined', 'Ada'],
    ['joined', 'Guest 2'],
    ['all', ['Ada', 'Guest 2']],
  ]);
  t.same(after([ada, guest]), [['all', ['Ada', 'Guest 2']]], 'nothing has changed');
  for (const change of [
    { name: 'Grace' },
    { color: '#000000' },
    { admin: true },
    { controls: false },
    { control_exclusive: true },
  ])
    t.match(
      after([ada, { ...guest, ...change }]).map(([name]) => name),
      ['changed', 'all'],
      JSON.stringify(change),
    );
  t.match(
    after([guest]).map(([name]) => name),
    ['left', 'changed', 'all'],
  );
  t.same(list.users, [
    {
      userId: 'g',
      name: 'Guest 2',
      color: null,
      admin: false,
      control: true,
      controlDisabled: false,
      controlExclusive: false,
    },
  ]);
  t.end();
});
