/** Programs of Ruby, as the words after `ruby`, that only print what they compute or what files of the workspace contain. */
export const READING_RUBY: readonly (readonly string[])[] = [
  ["-ne", "print if /foo/", "README.md"],
  ["-ne", 'puts "#{$.}: #{$_.chomp}" if $_ =~ /title/i', "README.md"],
  ["-lane", "puts $_.split.first", "README.md"],
  ["-pe", 'gsub(/a/, "b")', "README.md"],
  ["-ne", "BEGIN { $n = 0 }; $n += 1 if /x/; END { puts $n }", "README.md"],
  ["-e", 'puts File.read("README.md").lines.map(&:strip).reject(&:empty?).first(3)'],
  ["-e", 'File.foreach("README.md").with_index(1) { |line, i| puts "#{i}: #{line}" }'],
  ["-e", 'File.open("README.md", "r") { |f| f.each_line { |l| print l } }'],
  ["-e", "puts [3, 1, 2].sort.map { |x| x ** 2 }.inject(:+)"],
  ["-e", "puts (1..10).each_slice(3).map { |a| a.join('-') }.inspect"],
  ["-e", "h = Hash.new { |hash, key| hash[key] = [] }; h[:a] << 1; p h"],
  ["-e", "case 3 when 1..2 then puts 'low' else puts 'high' end"],
  ["-e", "x = 0; while x < 3 do puts x; x += 1 end"],
  ["-e", "def twice(x) = x * 2\nputs twice(4)\nputs [1, 2].map(&method(:twice)).inspect"],
  ["-e", 'begin; Integer("x"); rescue ArgumentError => e; puts e.message; end'],
  ["-e", 'printf("%-10s|%5.2f\\n", "a", 1.5); $stderr.puts "note"; STDOUT.puts 1'],
  [
    "-rjson",
    "-e",
    'puts JSON.pretty_generate(JSON.parse("{\\"a\\": [1, 2]}", symbolize_names: true))',
  ],
  ["-rset", "-e", "p Set.new([1, 2, 2]).size, [1, 2].to_set.include?(2)"],
  ["-rdate", "-e", 'puts Date.new(2026, 1, 31).next.strftime("%F")'],
  ["-rdigest", "-e", 'puts Digest::SHA256.hexdigest(File.read("README.md"))'],
  [
    "-e",
    'puts File.basename("src/a.ts", ".ts"), File.exist?("src/a.ts"), Dir.children("src").sort',
  ],
  ["-e", 'puts Dir.glob("src/*.ts").sort, Dir["**/*.md"].size'],
  ["-e", "puts STDIN.read.lines.size"],
  ["-e", "m = /(?<year>\\d+)-(?<month>\\d+)/.match('2026-11'); puts m[:year], $~ && $1"],
  ["-e", "LIMIT = 3\nputs (1..LIMIT).sum { |x| x * 1.5 }"],
  ["-e", "add = ->(a, b) { a + b }; puts add.call(1, 2), add.(3, 4)"],
];

/** Programs of Ruby that change something, run other code, or read what their code does not name. */
export const HOSTILE_RUBY: readonly (readonly string[])[] = [
  ...String.raw`
system "id"
system("id")
exec "id"
spawn "id"
fork { puts 1 }
puts ${"`"}id${"`"}
puts %x(id)
puts "#{${"`"}id${"`"}}"
puts "#{system 'id'}"
puts /#{${"`"}id${"`"}}/
puts :"#{system 'id'}"
IO.popen("id")
IO.popen("id").read
IO.read("|id")
IO.readlines("|id")
IO.write("made", "x")
IO.binwrite("made", "x")
IO.copy_stream("README.md", "made")
IO.sysopen("made", "w")
IO.for_fd(1)
open("|id")
open("|id").read
open("README.md")
open("made", "w")
Kernel.open("|id")
Kernel.system("id")
Kernel.send(:system, "id")
Kernel.exec("id")
Object.new.send(:system, "id")
self.send(:system, "id")
send(:system, "id")
public_send(:puts, 1)
__send__(:system, "id")
method(:system).call("id")
method(:puts).unbind
method(:system).to_proc.call("id")
[1].map(&method(:system))
["id"].each(&method(:system))
["id"].each(&:system)
x = :system; ["id"].each(&x)
["id"].map(&:to_sym).map(&:to_proc)
[1, "id"].inject(:system)
x = :system; [1, "id"].inject(x)
[1, "id"].inject("system")
["a"].sum(&:instance_eval)
"id".then { |x| system x }
"id".tap(&method(:system))
1.instance_eval { system "id" }
"x".instance_eval("system 'id'")
eval "system 'id'"
binding.eval("1")
binding.local_variable_get(:x)
Object.class_eval { def x; end }
Object.const_get(:Kernel).system("id")
Object.const_get("File").delete("README.md")
Class.new { def x; system "id"; end }.new.x
Module.new
String.class_eval "system 'id'"
"".class.class_eval "system 'id'"
"".class
"".class.const_get(:File)
f = File.open("README.md"); f.class.read("/etc/passwd")
"".method(:to_s).owner
"".singleton_class
define_method(:x) { 1 }
Object.define_method(:x) { 1 }
instance_variable_set(:@a, 1)
instance_variable_get(:@a)
ObjectSpace.each_object(File)
GC.start
Process.kill(9, 1)
Process.spawn("id")
Process.exec("id")
Signal.trap("INT") { puts 1 }
trap("INT") { puts 1 }
at_exit { system "id" }
END { system "id" }
BEGIN { system "id" }
require "./made"
require_relative "made"
require "open3"
require "fileutils"
require "socket"
require "open-uri"
require "json" + ""
x = "open3"; require x
load "made.rb"
autoload :X, "./made.rb"
gem "x"
File.delete("README.md")
File.unlink("README.md")
File.rename("README.md", "made")
File.write("made", "x")
File.open("made", "w") { |f| f.puts 1 }
File.open("made", "w")
File.open("made", "a+")
File.open("made", mode: "w")
File.open("made", File::WRONLY | File::CREAT)
File.open("README.md", "r+")
m = "w"; File.open("made", m)
File.new("made", "w")
File.symlink("/etc/passwd", "made")
File.link("README.md", "made")
File.chmod(0777, "README.md")
File.chown(0, 0, "README.md")
File.truncate("README.md", 0)
File.utime(0, 0, "README.md")
File.mkfifo("made")
File.readlink("src/link.txt")
File.realpath(".")
File.expand_path("~")
File.stat("/etc/passwd")
File.open("README.md").truncate(0)
File.open("README.md").chmod(0777)
File.open("README.md").flock(2)
File.open("README.md").reopen("made", "w")
File.open("README.md").ioctl(1)
File.read("|id")
File.read(ARGV[0])
File.read(".e" + "nv")
File.read(".e#{"nv"}")
File.read(*["/etc/passwd"])
x = "/etc/passwd"; File.read(x)
%w[/etc/passwd].each { |f| puts File.read(f) }
Dir.glob("*").each { |f| puts File.read(f) }
Dir.children(".").map { |f| File.size(f) }
Dir.mkdir("made")
Dir.rmdir("src")
Dir.unlink("src")
Dir.chdir("/")
Dir.glob("../*")
Dir.glob("src/*/*")
Dir.glob("/etc/*")
Dir.glob("*", base: "/etc")
Dir["../*"]
x = "*"; Dir[x]
Dir.home
FileUtils.rm_rf("src")
Pathname("README.md").delete
Pathname.new("made").write("x")
ENV
puts ENV["HOME"]
ENV["HOME"] = "x"
p ENV.to_h
puts ENV.fetch("HOME")
ARGV << "/etc/passwd"; puts ARGF.read
ARGV.replace(["/etc/passwd"]); puts gets
ARGV[0] = "x"
$* << "/etc/passwd"; puts gets
$<.argv << "x"
ARGF.argv.push("/etc/passwd")
ARGF.inplace_mode = ".bak"
ARGF.class
ARGF.file
$stdout = File.open("README.md")
$stdin.reopen("made")
STDOUT.reopen("made", "w")
$stdout.reopen("made", "w")
$, = "x"
$; = "x"
$/ = "x"
$0 = "x"
$PROGRAM_NAME = "x"
$LOAD_PATH << "."
$: << "."
$" << "x"
$LOADED_FEATURES
$SAFE = 1
$DEBUG = true
$VERBOSE = nil
alias puts system
alias_method :x, :y
undef puts
class X; end
class File; def self.read(x); end; end
module X; end
class << self; self; end
def system(x); end
def open(x); end
def self.x; end
def File.x; end
def x; ${"`"}id${"`"}; end
def puts(x); super; end
File = 1
Kernel = 1
STDIN = 1
Foo::Bar = 1
x = File; x.delete("README.md")
x = Kernel; x.system("id")
[File].first.delete("README.md")
{ a: File }[:a].delete("README.md")
puts File
Marshal.load("x")
Marshal.load(File.read("README.md"))
YAML.load(File.read("README.md"))
YAML.unsafe_load("x")
YAML.load_file("README.md")
YAML.safe_load("x", permitted_classes: [File])
YAML.safe_load("x", [Symbol])
JSON.parse("x", create_additions: true)
JSON.parse("x", { create_additions: true })
JSON.parse("x", **{ create_additions: true })
JSON.load("x")
JSON.load(File.open("README.md"), proc { |x| x })
JSON.dump({}, File.open("made", "w"))
CSV.open("made", "w")
CSV.read("/etc/passwd", **{})
PStore.new("made")
Logger.new("made")
Tempfile.new
Thread.new { system "id" }
Fiber.new { 1 }
Ractor.new { 1 }
TracePoint.new(:line) { 1 }
RubyVM::InstructionSequence.compile("1").eval
Struct.new(:a)
Comparable.instance_method(:clamp)
Etc.getlogin
Net::HTTP.get("x", "/")
TCPSocket.new("x", 80)
Socket
URI.open("http://x")
syscall 1
sleep 100
select [$stdin]
test "r", "/etc/shadow"
caller
set_trace_func proc { 1 }
callcc { 1 }
["x"].pack("p")
"x".unpack("p")
"x".unpack1("p")
"x".encode("x").send(:system, "id")
"x".public_send(:system)
"x".__send__(:system, "id")
"x".method(:system)
"x".instance_exec { system "id" }
"x".extend(Kernel)
"x".display
"x".to_enum(:system)
"x".enum_for(:system)
"x".singleton_methods
"x" if system "id"
x = (system "id")
x ||= system "id"
a, b = system("id"), 1
[*system("id")]
{ a: system("id") }
{ system("id") => 1 }
puts(a: system("id"))
->(x = system("id")) { x }.call
def x(a = system("id")); a; end
puts [1].map { |x| system "id" }
[1].each do system "id" end
begin; raise "x"; rescue; system "id"; end
begin; 1; ensure; system "id"; end
raise system("id")
case system("id") when 1 then 2 end
case 1 when system("id") then 2 end
case 1; in Integer => x; puts x; end
1 in x
while system "id" do 1 end
1 while system "id"
puts 1 unless system "id"
x = 1 rescue system "id"
h = {}; h[system("id")] = 1
h = {}; h[system("id")] += 1
h = {}; h.foo = 1
x = "a"; x.foo += 1
puts <<~E.then { |x| system x }
puts __FILE__
puts __method__
puts __dir__
DATA.read
super
self
redo
defined?(system("id"))
/(?<x>.)/ =~ system("id")
if (system "id")..(system "id") then 1 end
puts 1 # coding: utf-7
`
    .split("\n")
    .filter((line) => line !== "")
    .map((code) => ["-e", code]),
  ["-i", "-pe", "1", "README.md"],
  ["-pi", "-e", "1", "README.md"],
  ["-i.bak", "-pe", "1", "README.md"],
  ["-ne", "print", "|id"],
  ["-ne", "print", "id|"],
  ["-ne", "print", "-"],
  ["-I.", "-e", "puts 1"],
  ["-r./made", "-e", "puts 1"],
  ["-rfileutils", "-e", "puts 1"],
  ["-ropen-uri", "-e", "puts 1"],
  ["-C", "/", "-e", "puts 1"],
  ["-x", "README.md"],
  ["-S", "tool"],
  ["-s", "-e", "puts 1"],
  ["-E", "utf-8", "-e", "puts 1"],
  ["README.md"],
  ["-e"],
  ["-e", "puts 1", "-e", "system 'id'"],
  ["-e", 'puts "a', "-e", '#{system "id"}"'],
  ["-e", "puts 1\n__END__\nx"],
  ["-e", "#!ruby -x\nputs 1"],
  ["-e", "# -*- coding: euc-jp -*-\nputs 1"],
  ["--disable=gems", "-e", "system 'id'"],
  ["-e", "puts 1 +"],
];
