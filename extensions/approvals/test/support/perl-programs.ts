/** Programs of Perl, as the words after `perl`, that only print what they compute or what files of the workspace contain. */
export const READING_PERL: readonly (readonly string[])[] = [
  ["-ne", "print if /foo/ && !/bar/", "README.md"],
  ["-ne", 'print "$ARGV:$.:$_"; close ARGV if eof', "README.md", "src/a.ts"],
  ["-lne", "print $1 if m{(https?://[^\\s)]+)}", "README.md"],
  ["-ne", "$n += $_ }{ print $n", "README.md"],
  ["-ane", 'print join("\\t", @F[0..1]), "\\n"', "README.md"],
  ["-F,", "-lane", "$s += $F[1]; END { print $s }", "README.md"],
  ["-pe", "s/(\\d+)/$1 + 1/ge", "README.md"],
  ["-pe", "tr/a-z/A-Z/", "README.md"],
  ["-pe", "s{/\\*.*?\\*/}{}gs", "src/a.ts"],
  ["-0777", "-ne", 'print "$1\\n" while /function\\s+(\\w+)/g', "src/a.ts"],
  ["-ne", 'next unless /import/; chomp; my @p = split /\\s+/; print "$p[1]\\n"', "src/a.ts"],
  ["-Mstrict", "-Mwarnings", "-e", 'my %h = (a => 1); print "$_=$h{$_}\\n" for sort keys %h;'],
  ["-MData::Dumper", "-e", "print Dumper({ a => [1, 2, { b => undef }] })"],
  ["-e", 'my @a = (3, 1, 2); print "@a[0, 1] ", $#a, scalar(@a), "\\n"; print "$a[-1]\\n"'],
  [
    "-e",
    "my $d = { list => [1..3] }; print join(',', @{ $d->{list} }), ' ', $d->{list}[0], $d->{list}->@*",
  ],
  ["-e", 'use feature "say"; say for 1 .. 2; use feature qw(fc); print fc "A"'],
  ["-E", "say for grep { $_ % 2 } map { $_ * 3 } 1 .. 9"],
  ["-e", 'my ($x, $y) = (7, 2); printf("%d %s\\n", $x / $y, $x > $y ? "more" : "less")'],
  ["-e", 'for (my $i = 0; $i < 3; $i++) { print "-" x 3, $i, "\\n" }'],
  ["-e", 'print ucfirst(lc("ABC")), " ", length "abc", " ", substr("abcdef", 1, 2), "\\n"'],
  [
    "-e",
    'if ("a-b" =~ /^(?<first>\\w)-(\\w)$/) { print "$+{first} $2 $&\\n" } elsif (0) { print 1 } else { print 2 }',
  ],
  ["-e", "open(F, '<', 'README.md') or die \"$!\"; my @l = <F>; close(F); print scalar(@l)"],
  [
    "-e",
    'local $/; open my $f, "<:encoding(UTF-8)", "README.md"; my $t = <$f>; print length($t), "\\n"',
  ],
  ["-MList::Util=first,max", "-e", "print max(1, 2), first { $_ > 1 } (1, 2, 3)"],
  ["-e", 'use List::Util qw(uniq); print join " ", uniq sort { $b cmp $a } qw(a b a)'],
  ["-e", 'while (my $l = <STDIN>) { last if $l =~ /^end$/; print STDERR "line: $l" }'],
  [
    "-ne",
    'BEGIN { print "start\\n" } $c{length()}++; END { print "$_: $c{$_}\\n" for sort { $a <=> $b } keys %c }',
    "README.md",
  ],
  ["-e", 'my $r = eval { die "x\\n"; 1 }; print "failed: $@" unless $r'],
  ["-wlne", 'print "$.: ", tr/a//', "README.md"],
];

/** Programs of Perl that change something, run other code, or read what their code does not name. */
export const HOSTILE_PERL: readonly (readonly string[])[] = [
  ["-e", 'say /2; open F, ">made"; 4 / -2'],
  ["-e", 'no warnings; print q{a} . say /2; open F, ">made"; 4 / -2'],
  ["-e", 'fc /2; open F, ">made"; 4 / -2'],
  ["-e", 'print "\\c\\@{[open(F, q(>made))]}"'],
  ["-e", "print qq{\\c\\@{[open(F, q(>made))]}}"],
  ...String.raw`
system "id"
system("id")
system { "id" } "id"
exec "id"
print qx(id)
print qx{id}
print ${"`"}id${"`"}
my $x = ${"`"}id${"`"};
open F, "id|"; print <F>
open(F, "-|", "id"); print <F>
open my $f, "|-", "id"
open my $f, ">", "made"
open my $f, "+<", "README.md"
open F, ">made"
open F, "README.md"
open my $f, "<", $ARGV[0]
open my $f, "<", ".e" . "nv"; print <$f>
open my $f, "<", "$x"; print <$f>
open my $f, "<", "\x2eenv"; print <$f>
open STDOUT, "<", "README.md"
open ARGV, "<", "README.md"
unlink "README.md"
unlink glob "*"
rename "README.md", "made"
mkdir "made"
rmdir "src"
chmod 0777, "README.md"
symlink "/etc/passwd", "made"
link "README.md", "made"
utime 0, 0, "README.md"
truncate "README.md", 0
sysopen(F, "made", 577)
fork
kill 9, 1
print $ENV{PATH}
print %ENV
print @ENV{qw(HOME)}
print "$ENV{HOME}"
print "@{[ %ENV ]}"
print "@{[ system q(id) ]}"
print "${"${"}\ system q(id) }"
print "$h{system q(id)}"
print "$h{${"`"}id${"`"}}"
print "$a[system q(id)]"
print "$x->[system q(id)]"
print "$main::ENV{HOME}"
print "$main'ENV{HOME}"
print $::ENV{HOME}
print %{"ENV"}
print %{ENV}
print @{ENV}{HOME}
$x = "system"; &$x("id")
$x = "system"; $x->("id")
&{"system"}("id")
&{\&CORE::system}("id")
CORE::system("id")
CORE::GLOBAL::glob "*"
$x = "POSIX"; $x->import
main->can("x")->()
"main"->can("x")
UNIVERSAL::can("main", "x")
*x = \&CORE::system; x("id")
*{"x"} = sub { 1 }
sub f { system "id" } f()
my $f = sub { system "id" }; $f->()
eval "system 'id'"
eval 'system "id"'
eval $_
eval
eval { system "id" }
do "made.pl"
do { system "id" }
require "./made.pl"
require Socket
use lib "."; use A
use IO::File
use Socket
use POSIX
use POSIX qw(remove)
use File::Path qw(rmtree)
use if 1, "A"
no strict; print 1
no strict 'refs'; print 1
BEGIN { system "id" }
END { system "id" }
INIT { print 1 }
s/x/system "id"/e
s/x/"system q(id)"/ee
s/x/${"`"}id${"`"}/e
s{x}{ qx(id) }ge
s/x/@{[ system q(id) ]}/
s/x/$h{system q(id)}/
/(?{ system "id" })/
/(??{ system "id" })/
/x(?{ print 1 })y/
m{( ?{ print 1 })}x
/(*{ system "id" })/
qr/(?{ system "id" })/
split /(?{ system "id" })/
/\p{main::x}/
/\p{IsX}/
/@{[ system q(id) ]}/
/$h{system q(id)}/
/$x[system q(id)]/
print <*.md>
print <README*>
print <$h{x}>
print <<${"`"}E${"`"}
print <<"E"
print glob "*"
opendir D, "."; print readdir D
-e "/etc/shadow" and print 1
print -s "/etc/shadow"
print "1" if -r "/etc/shadow"
print stat "/etc/shadow"
print lstat "x"
print readlink "x"
chdir "/"
chroot "/"
syscall 1
dump
print unpack "p", "x"
print pack "p", "x"
$SIG{ALRM} = "x"
$SIG{__DIE__} = sub { 1 }
@ARGV = ("/etc/passwd"); print <>
push @ARGV, "/etc/passwd"; print <>
$ARGV[0] = "id|"; print <>
for (@ARGV) { $_ = "id|" } print <>
unshift @{"ARGV"}, "id|"; print <>
$^I = ".bak"; @ARGV = "README.md"; print <>
$^W = 1
${"${"}^W} = 1
@INC = "."
push @INC, "."
$INC{x} = 1
print @INC
$0 ->x
@ISA = "x"; AUTOLOAD
print sort system 1
sort $x 1, 2
sort f 1, 2
print { system "id"; STDOUT } "x"
print {*STDOUT} "x"
print *STDOUT{IO}
tie %h, "x"
bless {}, "x"
new Foo "x"
system => "id" and system "id"
shift -s/x/;system(q(id));#/
$x -s/x/;system(q(id));#/
shift / 1;system(q(id));#/
time / 1;system(q(id));#/
print $x /1;system(q(id));#/
print $x <"a">
print $f %h
map { "a", 1 } /1;system(q(id));#/
map { {a=>1} /1;system(q(id));#/ } 1
{ a => 1 } /1;system(q(id));#/
{ system "id" }
wait; waitpid 1, 0
sleep 100
socket S, 1, 1, 1
alarm 1
format STDOUT =
write
select F
print F "x"
syswrite STDOUT, "x"
read STDIN, $x, 1
getpwnam "root"
getppid
local %ENV = (1)
local @ARGV = ("id|"); print <>
our $x
my $x :shared
L: print 1
goto L
return 1
$h{${"\n"}system${"\n"}}
$x = $h{ system "id" }
@x[system "id"]
my ($x = system "id")
if (system "id") { }
print "a" if system "id"
while (system "id") { last }
for (system "id") { }
for my $x (qx(id)) { print $x }
print((system "id"))
print [system "id"]
print { a => system "id" }
print 1 ? system("id") : 2
print \system "id"
print !system "id"
not system "id"
print y(system "id")
print __FILE__
print __DATA__
__END__ x
$x =~ $y =~ s/x/system "id"/e
`
    .split("\n")
    .filter((line) => line !== "")
    .map((code) => ["-e", code]),
  ["-i", "-pe", "s/a/b/", "README.md"],
  ["-i.bak", "-pe", "s/a/b/", "README.md"],
  ["-pi", "-e", "s/a/b/", "README.md"],
  ["-pie", "s/a/b/", "README.md"],
  ["-ne", "print", "id|"],
  ["-ne", "print", "|id"],
  ["-ne", "print", "> made"],
  ["-ne", "print", ">made"],
  ["-ne", "print", "< README.md"],
  ["-ne", "print", "README.md "],
  ["-ne", "print", "-"],
  ["-ne", "print", "--", "-x"],
  ["-I.", "-e", "print 1"],
  ["-Mlib=.", "-e", "print 1"],
  ["-MA", "-e", "print 1"],
  ["-M-strict", "-e", "print 1"],
  ["-MPOSIX", "-e", "print 1"],
  ["-MList::Util=sum;system(q(id))", "-e", "print 1"],
  ["-mIO::File", "-e", "print 1"],
  ["-F/x/;system(q(id));(/", "-ane", "print"],
  ["-F(?{system(q(id))})", "-ane", "print"],
  ["-F'x';system(q(id))'", "-ane", "print"],
  ["-d", "-e", "print 1"],
  ["-x", "README.md"],
  ["-S", "tool"],
  ["-s", "-e", "print $x", "--", "-x=1"],
  ["README.md"],
  ["-e"],
  ["-e", "print 1", "-e", "; system q(id)"],
  ["-e", 'print "a', "-e", '"; system "id"'],
  ["-ne", "} system q(id); {"],
  ["-ne", "print }{ system q(id)"],
  ["-ne", "print }{ print }{ print"],
  ["-l", "-0777", "-e", "system 'id'"],
  ["-CSDAL", "-e", "print 1"],
  ["-u", "-e", "print 1"],
  ["-U", "-e", "print 1"],
  ["-e", "=pod\n\nx\n\n=cut\nsystem 'id'"],
  ["-e", 'print 1;\n=x\nprint "\n=cut\nsystem q(id);#"'],
  ["-e", "\u001aprint 1"],
];

/** Programs of Perl that its own checks end, because a name would be a reference. */
export const BOUNDED_PERL: readonly string[] = [
  '$x = "ENV"; print %$x',
  '$x = "ENV"; print join ",", keys %{$x}',
  '$x = "ENV"; print $x->{HOME}',
  '$x = "ENV"; print $$x{HOME}',
  '$x = "ENV"; print ${$x}{HOME}',
  '$x = "ENV"; print "$x->{HOME}"',
  '$x = "ENV"; print @{$x}{qw(HOME)}',
  '$x = "INC"; print @$x',
  '$x = "ARGV"; push @$x, "README.md"; print <>',
  '$x = "\x17"; $$x = 1',
  '$x = "\x09"; $$x = ".bak"; print "set"',
  '$x = "main::ENV"; print $x->{PATH}',
  '$x = "(?{ print 1 })"; print "ran" if "a" =~ /$x/',
  '$x = "(?{ print 1 })"; print split $x, "a"',
  '$x = "(?{ print 1 })"; print "ran" if "a" =~ $x',
  '$x = "(?{ print 1 })"; print "ran" if "a" =~ /a$x/x',
  '$y = "?{ print 1 }"; print "ran" if "a" =~ /($y)/',
];
