// Holds the circuit against the model: each line of the file +vectors=<path> is one cycle, as
// hdl/test/vectors.ts writes it: what goes in, what must leave in that cycle, and what every
// register must hold after it. Stops at the first difference.
`timescale 1ns / 1ps
module contention_point_tb #(
    parameter RATE = 12,
    parameter COUNT = 7,
    parameter CAPACITY = 4095,
    parameter SHAREABLE = 3890,
    parameter URGENT = 409,
    parameter REMEMBERS = 1,
    parameter FLOORS = 1,
    parameter DIVIDER = 0,
    parameter STAGES = 4
) ();
  reg clk = 0;
  reg reset = 1;
  reg tick = 0;
  reg [2:0] in_type = 0;
  reg [RATE-1:0] in_current = 0;
  reg [RATE-1:0] in_desired = 0;
  wire [2:0] out_type;
  wire [RATE-1:0] out_current, out_desired;
  wire out_urgent;

  contention_point #(
      .RATE(RATE),
      .COUNT(COUNT),
      .CAPACITY(CAPACITY),
      .SHAREABLE(SHAREABLE),
      .URGENT(URGENT),
      .REMEMBERS(REMEMBERS),
      .FLOORS(FLOORS),
      .DIVIDER(DIVIDER),
      .STAGES(STAGES)
  ) dut (
      .clk(clk),
      .reset(reset),
      .tick(tick),
      .in_type(in_type),
      .in_current(in_current),
      .in_desired(in_desired),
      .out_type(out_type),
      .out_current(out_current),
      .out_desired(out_desired),
      .out_urgent(out_urgent)
  );

  localparam OUT = 4 + 2 * RATE;
  localparam REGISTERS = 2 * (3 * RATE + 1 + 2 * COUNT);
  reg [OUT-1:0] want_out;
  reg [REGISTERS-1:0] want_registers;
  wire [OUT-1:0] out = {out_type, out_urgent, out_current, out_desired};
  wire [REGISTERS-1:0] registers = {
    dut.fsr, dut.m, dut.b, dut.b_max, dut.elsewhere,
    dut.old_fsr, dut.old_m, dut.old_b, dut.old_b_max, dut.old_elsewhere
  };

  // $fscanf writes here and a process assigns: Verilator does not see what $fscanf writes.
  reg next_tick;
  reg [2:0] next_type;
  reg [RATE-1:0] next_current, next_desired;
  reg [8191:0] path;
  integer file, fields, cycles;
  initial begin
    if (!$value$plusargs("vectors=%s", path)) $fatal(1, "no +vectors=<path>");
    file = $fopen(path, "r");
    if (file == 0) $fatal(1, "cannot open %0s", path);
    cycles = 0;
    #1 clk = 1;
    #1 clk = 0;
    reset  = 0;
    fields = 6;
    while (fields == 6) begin
      fields = $fscanf(file, "%h %h %h %h %h %h\n", next_tick, next_type, next_current,
                       next_desired, want_out, want_registers);
      if (fields == 6) begin
        tick = next_tick;
        in_type = next_type;
        in_current = next_current;
        in_desired = next_desired;
        #1;
        if (out !== want_out) begin
          $display("cycle %0d: leaves %h, the model %h", cycles, out, want_out);
          $fatal(1, "differs");
        end
        clk = 1;
        #1 clk = 0;
        #1;
        if (registers !== want_registers) begin
          $display("cycle %0d: registers %h, the model %h", cycles, registers, want_registers);
          $fatal(1, "differs");
        end
        cycles = cycles + 1;
      end
    end
    $display("%0d cycles equal", cycles);
    $finish;
  end
endmodule
