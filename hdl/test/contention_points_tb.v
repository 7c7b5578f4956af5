// The contention points of a switch against as many single ones, with the same random inputs: each
// port must behave as if it were alone.
`timescale 1ns / 1ps
module contention_points_tb ();
  localparam PORTS = 16;
  localparam RATE = 12;
  localparam CYCLES = 2000;
  reg clk = 0;
  reg reset = 1;
  reg tick = 0;
  reg [3*PORTS-1:0] in_type = 0;
  reg [RATE*PORTS-1:0] in_current = 0;
  reg [RATE*PORTS-1:0] in_desired = 0;
  wire [3*PORTS-1:0] out_type, single_type;
  wire [RATE*PORTS-1:0] out_current, single_current;
  wire [RATE*PORTS-1:0] out_desired, single_desired;
  wire [PORTS-1:0] out_urgent, single_urgent;

  contention_points #(
      .PORTS(PORTS)
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

  genvar g;
  generate
    for (g = 0; g < PORTS; g = g + 1) begin : single
      contention_point point (
          .clk(clk),
          .reset(reset),
          .tick(tick),
          .in_type(in_type[3*g+:3]),
          .in_current(in_current[RATE*g+:RATE]),
          .in_desired(in_desired[RATE*g+:RATE]),
          .out_type(single_type[3*g+:3]),
          .out_current(single_current[RATE*g+:RATE]),
          .out_desired(single_desired[RATE*g+:RATE]),
          .out_urgent(single_urgent[g])
      );
    end
  endgenerate

  wire [PORTS*(4+2*RATE)-1:0] all = {out_type, out_urgent, out_current, out_desired};
  wire [PORTS*(4+2*RATE)-1:0] wanted = {single_type, single_urgent, single_current, single_desired};
  integer cycle, i;
  initial begin
    #1 clk = 1;
    #1 clk = 0;
    reset = 0;
    for (cycle = 0; cycle < CYCLES; cycle = cycle + 1) begin
      tick = $urandom % 40 == 0;
      for (i = 0; i < PORTS; i = i + 1) begin
        in_type[3*i+:3] = {$urandom % 5 != 0, 2'b00} | ($urandom & 3'd3);
        in_current[RATE*i+:RATE] = $urandom;
        in_desired[RATE*i+:RATE] = $urandom;
      end
      #1;
      if (all !== wanted) begin
        $display("cycle %0d: %h, the single ones %h", cycle, all, wanted);
        $fatal(1, "differs");
      end
      clk = 1;
      #1 clk = 0;
      #1;
    end
    $display("%0d cycles equal", CYCLES);
    $finish;
  end
endmodule
