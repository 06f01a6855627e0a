import t from 'tap';
import { isPrivate, isSpecial, isWithin, plainAddress } from '../../../src/server/outbound/addresses.js';

const plain = (judge: (address: string) => boolean) => (address: string) => judge(plainAddress(address));

t.test('which addresses are private', async t => {
  for (const address of [
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '127.0.0.1',
    '0.0.0.0',
    '100.64.0.1',
    '224.0.0.1',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'ff02::1',
  ])
    t.ok(plain(isPrivate)(address), address);
  for (const address of ['1.1.1.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])
    t.notOk(plain(isPrivate)(address), address);
});

t.test('which addresses nothing is ever sent to, in every notation', async t => {
  const forms = [
    '169.254.0.1',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::ffff:0:a9fe:a9fe',
    '::a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '2001:0:a9fe:a9fe::1',
    '100.100.100.200',
    '::ffff:100.100.100.200',
    '64:ff9b::6464:64c8',
    '168.63.129.16',
    '2002:a83f:8110::',
    '192.0.0.192',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fd00:ec2::254',
    'fd00:0ec2:0:0:0:0:0:254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:42::42',
    'fd00:c1::a9fe:a9fe',
    '0.0.0.0',
    '0.1.2.3',
    '::',
    '224.0.0.1',
    'ff02::1',
    '255.255.255.255',
    '240.0.0.1',
  ];
  for (const address of forms) t.ok(plain(isSpecial)(address), address);
  for (const address of [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '100.64.0.1',
    'fd00::1',
    'fec0::1',
    '8.8.8.8',
    '168.63.129.17',
    '2606:4700::1111',
  ])
    t.notOk(plain(isSpecial)(address), address);
});

t.test('an address is recognized in every notation', async t => {
  t.equal(plainAddress('::ffff:0:10.2.3.4'), '10.2.3.4');
  t.equal(plainAddress('2002:0a02:0304:1::1'), '10.2.3.4');
  t.equal(plainAddress('64:ff9b::0a02:0304'), '10.2.3.4');
  t.equal(plainAddress('2606:4700:0:0:0:0:0:1111'), '2606:4700::1111');
  t.equal(plainAddress('fe80::1%2'), 'fe80::1');
});

t.test('which addresses are in a subnet', async t => {
  const subnets = ['172.30.0.0/16', 'fd01::/64'];
  t.ok(isWithin('172.30.5.6', subnets) && isWithin('fd01::7', subnets));
  t.notOk(isWithin('172.31.0.1', subnets) || isWithin('fd01:0:0:1::1', subnets) || isWithin('::1', subnets));
});
